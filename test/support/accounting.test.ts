import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHoldings, settleHoldings } from './accounting.ts';

test.runIf(process.platform === 'linux')('names a process left running', async () => {
  const before = await readHoldings();
  const child = spawn('sleep', ['3600']);
  const closed = once(child, 'close');
  // Its pipes are sockets of this process, which another test would count until they are closed.
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  await once(child, 'spawn');
  expect(await settleHoldings(before, 0)).toContain('the process sleep 3600 ');
});

test.runIf(process.platform === 'linux')('names a file left open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-accounting-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const before = await readHoldings();
  const path = join(folder, 'left-open');
  const file = await open(path, 'w');
  onTestFinished(() => file.close());
  expect(await settleHoldings(before, 0)).toContain(`the file ${path}`);
});

test.runIf(process.platform === 'linux')('counts a socket left open', async () => {
  const before = await readHoldings();
  const server = createServer();
  onTestFinished(async () => {
    await once(server.close(), 'close');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const left = await settleHoldings(before, 0);
  expect(left).toContain('1 sockets');
  expect(left).toContain('1 × TCPServerWrap');
});

test('counts a timer left running', async () => {
  const before = await readHoldings();
  const timers = Array.from({ length: 20 }, () => setInterval(() => {}, 3_600_000));
  onTestFinished(() => timers.forEach(clearInterval));
  expect(await settleHoldings(before, 0)).toContainEqual(expect.stringMatching(/^(19|2\d) × Timeout$/));
});

test.runIf(process.platform === 'linux')('reports nothing that was released in time', async () => {
  const before = await readHoldings();
  const child = spawn('sleep', ['0.2']);
  await once(child, 'spawn');
  expect(await settleHoldings(before, 20_000)).toEqual([]);
});
