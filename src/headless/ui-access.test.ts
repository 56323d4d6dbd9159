import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { implement } from '@orpc/server';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { sendRequest } from '../../test/support/http-request.ts';
import { keepSessions } from '../../test/support/kept-sessions.ts';
import { soon } from '../../test/support/soon.ts';
import type { ContractRouter } from '../service/handlers/router.ts';
import { contract } from '../shared/contract.ts';
import { contractProtocol, secretProtocol } from '../shared/page-session.ts';
import { registerUi } from './ui-routes.ts';
import { UiSessions } from './ui-session.ts';

const dayMs = 24 * 60 * 60 * 1000;

function makeUiFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ui-access-'));
  writeFileSync(join(folder, 'index.html'), '<script src="./assets/index-first.js"></script>');
  return folder;
}

/** The UI of a host that is bound to `host`, without listening. */
async function openUi(sessions: UiSessions, host = '127.0.0.1', folder = makeUiFolder()) {
  const app = fastify();
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  await registerUi(app, {
    sessions,
    router: implement(contract).$context() as unknown as ContractRouter,
    folder,
    host,
    ownNames: () => [],
    serviceOrigins: () => [],
  });
  return app;
}

test('a page that stays open for more than 30 days keeps its session, over a restart as well', async () => {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const file = keepSessions();
  const start = () => new UiSessions({ onToken: () => {}, file, clock });
  const sessions = start();
  const session = sessions.exchange(sessions.firstToken)!;

  const app = await openUi(sessions);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const connect = async () => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}/contract`,
      [contractProtocol, `${secretProtocol}${session.pageSecret}`],
      { origin: `http://127.0.0.1:${port}`, headers: { Cookie: `tallylight_${port}=${session.cookie}` } },
    );
    await once(socket, 'open');
    return socket;
  };

  const socket = await connect();
  clock.time += 31 * dayMs;
  socket.pong();
  await soon(() => expect(file.kept).toMatchObject([{ lastUsedAt: clock.time }]));
  expect(start().isValid(session.cookie)).toBe(true);
  clock.time += 31 * dayMs;
  socket.terminate();
  (await connect()).terminate();
});

test('a browser elsewhere learns the address that leads here, but never one with a foreign name', async () => {
  const app = await openUi(
    new UiSessions({ onToken: () => {}, file: keepSessions(), clock: { now: () => 0 } }),
    'studio.local',
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const read = async (host: string) => {
    const { status, body } = await sendRequest(`http://127.0.0.1:${port}/`, { headers: { host, accept: 'text/html' } });
    return [status, /On this device[^<]*/.exec(body)?.[0]];
  };
  expect(await read(`studio.local:${port}`)).toEqual([
    403,
    `On this device, begin the address with http://studio.local:${port}/ instead.`,
  ]);
  expect(await read(`127.0.0.1:${port}`)).toEqual([403, undefined]);
  expect(await read(`rebound.example:${port}`)).toEqual([403, undefined]);
});

test('a page learns the build that the service was started with, even after an update has replaced its files', async () => {
  const sessions = new UiSessions({ onToken: () => {}, file: keepSessions(), clock: { now: () => 0 } });
  const { cookie } = sessions.exchange(sessions.firstToken)!;
  const folder = makeUiFolder();
  const app = await openUi(sessions, '127.0.0.1', folder);
  writeFileSync(join(folder, 'index.html'), '<script src="./assets/index-next.js"></script>');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const read = async (path: string) => {
    const { status, body } = await sendRequest(`http://127.0.0.1:${port}${path}`, {
      headers: { cookie: `tallylight_${port}=${cookie}` },
    });
    return [status, body];
  };
  expect(await read('/build')).toEqual([200, '<script src="./assets/index-first.js"></script>']);
  expect(await read('/')).toEqual([200, '<script src="./assets/index-next.js"></script>']);
});
