import { readFileSync } from 'node:fs';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenOnLoopback } from '../../../test/support/loopback-server.ts';
import { type Answer, answerWell, oddPair, startOddService } from '../../../test/support/odd-service.ts';
import { apiKey, openRemotes, remoteShow, serve } from '../../../test/support/remote-stand.ts';
import { lockStore } from '../../../test/support/rival-program.ts';
import { tlsPaths } from '../../../test/support/tls-fixtures.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import { openMemorySecretStore } from '../secrets/memory-secret-store.ts';
import { RemoteError } from './remote-error.ts';

const failureOf = (call: Promise<unknown>): Promise<RemoteFailure | string> =>
  call.then(
    () => 'added',
    (error: unknown) => (error instanceof RemoteError ? error.failure : String(error)),
  );

test('a service is added once its regions, its key and its streams have been answered, with the key in no other request', async () => {
  const service = await serve(answerWell);
  const { services, table, reopen } = await openRemotes();
  const added = await services.add({ name: ' Team ', baseUrl: `${service.baseUrl}/`, apiKey });
  expect(added).toEqual({
    id: 'service1',
    name: 'Team',
    baseUrl: service.baseUrl,
    mediaOrigins: ['https://fra-cdn.example.com'],
    plainIngests: ['fra-rtmp.example.com'],
  });
  expect(service.asked).toEqual(
    ['/api/ingest', '/api/ingest?first=false', '/api/stream?streamsonly=1&limit=1'].map((path) => ({
      method: 'GET',
      path,
      authorization: `Bearer ${apiKey}`,
      body: '',
    })),
  );
  expect((await reopen()).list()).toEqual([added]);
  expect(JSON.stringify(table.list())).not.toContain(apiKey);
  expect(Buffer.from(table.list()[0]!.sealedKey).includes(apiKey)).toBe(false);
});

const ingestOnly =
  (rest: Answer): Answer =>
  (asked, response) =>
    asked.path.startsWith('/api/ingest') ? answerWell(asked, response) : rest(asked, response);

test.each<[string, Answer, RemoteFailure]>([
  ['refuses the key', ingestOnly(() => ({ status: 401, json: { errors: ['No.'] } })), { code: 'key-refused', status: 401 }],
  [
    'gets too many requests',
    ingestOnly(() => ({ status: 429, headers: { 'retry-after': '7' } })),
    { code: 'too-many-requests', retryAfterSeconds: 7 },
  ],
  ['has a fault', () => ({ status: 500, json: {} }), { code: 'server-error', status: 500 }],
  [
    'is down for a while',
    () => ({ status: 503, headers: { 'retry-after': new Date(Date.now() + 99_000_000).toUTCString() } }),
    { code: 'server-error', status: 503, retryAfterSeconds: 3600 },
  ],
  [
    'is down until a time by its own clock, which is an hour ahead',
    () => {
      const there = Date.now() + 3_600_000;
      const headers = { date: new Date(there).toUTCString(), 'retry-after': new Date(there + 60_000).toUTCString() };
      return { status: 503, headers };
    },
    { code: 'server-error', status: 503, retryAfterSeconds: 60 },
  ],
  [
    'is down until a time, and does not know what time it is',
    () => ({ status: 503, headers: { date: 'noon', 'retry-after': new Date(Date.now() + 99_000_000).toUTCString() } }),
    { code: 'server-error', status: 503, retryAfterSeconds: 3600 },
  ],
  ['has another path', () => ({ status: 404, json: { errors: ['Not found.'] } }), { code: 'not-offered', status: 404 }],
  [
    'refuses with words that repeat the key',
    () => ({ status: 400, json: { errors: [`What is ${apiKey}?`, 'Odd.'] } }),
    { code: 'refused', status: 400, says: 'What is …? Odd.' },
  ],
  [
    'refuses with more words than are shown',
    () => ({ status: 400, json: { error: `x${'🎥'.repeat(300)}` } }),
    { code: 'refused', status: 400, says: `x${'🎥'.repeat(299)}` },
  ],
  [
    'redirects to another host',
    () => ({ status: 302, headers: { location: 'https://elsewhere.example.com/login' } }),
    { code: 'redirected', to: 'https://elsewhere.example.com' },
  ],
  ['redirects to another path', () => ({ status: 308, headers: { location: '/login' } }), { code: 'redirected' }],
  [
    'answers a page',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    { code: 'not-json' },
  ],
  ['answers another shape', () => ({ json: { ingest: 'rtmp://x/live' } }), { code: 'nonsense', path: '' }],
  ['answers streams without ids', ingestOnly(() => ({ json: [{ name: 'Show' }] })), { code: 'nonsense', path: '0.id' }],
  ['lists no region', () => ({ json: [] }), { code: 'no-ingest' }],
  [
    'lists only regions whose playback is not encrypted',
    () => ({ json: [{ ingest: oddPair.ingest, playback: 'http://cdn.example.com/hls' }] }),
    { code: 'no-ingest', fault: 'unencrypted' },
  ],
  [
    'answers without an end',
    (_, response) => {
      const fill = () => {
        while (response.write(Buffer.alloc(65_536, 0x20)));
      };
      response.on('drain', fill);
      fill();
      return undefined;
    },
    { code: 'too-large', maxBytes: 4 * 1024 * 1024 },
  ],
  [
    'closes the connection',
    (_, response) => {
      response.destroy();
      return undefined;
    },
    { code: 'closed' },
  ],
  [
    'ends in the middle of its answer',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100', connection: 'close' }).write('[', () => response.socket?.end());
      return undefined;
    },
    { code: 'closed' },
  ],
])('a service that %s is not added', async (_, answer, failure) => {
  const service = await serve(answer);
  const { services } = await openRemotes();
  expect(await failureOf(services.add({ name: 'Odd', baseUrl: service.baseUrl, apiKey }))).toEqual(failure);
  expect(services.list()).toEqual([]);
});

test('of a list whose pages are longer than asked for, and never end, a thousand streams are taken', async () => {
  const service = await serve((asked, response) => {
    if (!asked.path.startsWith('/api/stream')) return answerWell(asked, response);
    const page = service.asked.length;
    const json = Array.from({ length: 400 }, (_, index) => ({ ...remoteShow, id: `${page}-${index}` }));
    return { json, headers: { link: `</api/stream?cursor=${page}>; rel="next"` } };
  });
  const { services } = await openRemotes();
  await services.add({ name: 'Endless', baseUrl: service.baseUrl, apiKey });
  service.asked.length = 0;
  expect(await services.get('service1').api.listStreams()).toHaveLength(1_000);
  expect(service.asked).toHaveLength(3);
});

test('a service that never answers, or never ends its answer, is given up after a while', async () => {
  const hanging = await serve(() => undefined);
  const dripping = await serve((_, response) => {
    response.writeHead(200).write('[');
    return undefined;
  });
  const { services } = await openRemotes({ timeoutMs: 300 });
  const add = ({ baseUrl }: { baseUrl: string }) => failureOf(services.add({ name: 'Slow', baseUrl, apiKey }));
  expect(await Promise.all([add(hanging), add(dripping)])).toEqual([
    { code: 'timed-out', afterMs: 300 },
    { code: 'timed-out', afterMs: 300 },
  ]);
});

test('a service that is not there is reported with its cause', async () => {
  const { services } = await openRemotes();
  const sockets = new Set<Socket>();
  const mail = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.write('220 mail.example.com ESMTP\r\n');
  });
  const { port: tcpPort, ...tcp } = await listenOnLoopback(mail, sockets);
  onTestFinished(() => tcp[Symbol.asyncDispose]());
  const gone = await startOddService(answerWell);
  await gone[Symbol.asyncDispose]();
  const cert = readFileSync(tlsPaths('first').certificatePath, 'utf8');
  const secure = await serve(answerWell, { cert, key: readFileSync(tlsPaths('first').keyPath, 'utf8') });
  const plain = await serve(answerWell);
  const add = (baseUrl: string) => failureOf(services.add({ name: 'Gone', baseUrl, apiKey }));
  expect(await add('https://no-such-service.invalid/api')).toMatchObject({ host: 'no-such-service.invalid' });
  expect(await add(gone.baseUrl)).toEqual({ code: 'connection-refused', address: `localhost:${gone.port}` });
  expect(await add(`http://127.0.0.1:${tcpPort}`)).toEqual({ code: 'not-http' });
  expect(await add('http://127.0.0.1:6000')).toEqual({ code: 'blocked-port', port: 6000 });
  expect(await add(secure.baseUrl)).toMatchObject({ code: 'tls', fault: 'untrusted', host: 'localhost' });
  expect(await add(plain.baseUrl.replace('http:', 'https:'))).toMatchObject({ code: 'tls', fault: 'not-tls' });
});

test('a service that is withdrawn while it is checked is neither added nor changed', async () => {
  const { services } = await openRemotes();
  const known = await services.add({ name: 'Known', baseUrl: (await serve(answerWell)).baseUrl, apiKey });
  const leaving = new AbortController();
  const left = await serve((asked, response) => {
    leaving.abort();
    return answerWell(asked, response);
  });
  const aborted = 'AbortError: This operation was aborted';
  expect(await failureOf(services.add({ name: 'Left', baseUrl: left.baseUrl, apiKey }, leaving.signal))).toBe(aborted);
  expect(await failureOf(services.update(known.id, { baseUrl: left.baseUrl, apiKey }, leaving.signal))).toBe(aborted);
  expect(services.list()).toEqual([known]);
});

test('a key is only sent to the origin it was entered for', async () => {
  const [first, second] = [await serve(answerWell), await serve(answerWell)];
  const { services, table } = await openRemotes();
  const { id } = await services.add({ name: 'Team', baseUrl: first.baseUrl, apiKey });
  await expect(services.update(id, { baseUrl: second.baseUrl })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { violations: [{ code: 'rule', path: ['apiKey'], words: 'must be entered again for another address' }] },
  });
  expect(second.asked).toEqual([]);
  expect(await services.update(id, { baseUrl: second.baseUrl, apiKey: 'other' })).toMatchObject({ baseUrl: second.baseUrl });
  expect(second.asked.map(({ authorization }) => authorization)).toEqual(Array(3).fill('Bearer other'));
  expect(await services.update(id, { name: 'Crew' })).toMatchObject({ name: 'Crew', baseUrl: second.baseUrl });
  // Write access to the store without the master key isn't enough to redirect the key either.
  table.put({ ...table.list()[0]!, baseUrl: first.baseUrl });
  expect(second.asked).toHaveLength(3);
});

test('a service whose address was changed in the store, or whose master key is gone, asks for its key', async () => {
  const service = await serve(answerWell);
  const { services, table, reopen } = await openRemotes();
  const { id } = await services.add({ name: 'Team', baseUrl: service.baseUrl, apiKey });
  const before = service.asked.length;
  table.put({ ...table.list()[0]!, baseUrl: service.baseUrl.replace('localhost', '127.0.0.1') });
  expect(await failureOf((await reopen()).get(id).api.listStreams())).toEqual({ code: 'key-lost' });
  table.put({ ...table.list()[0]!, baseUrl: service.baseUrl });
  expect(await failureOf((await reopen(openMemorySecretStore())).get(id).api.listStreams())).toEqual({ code: 'key-lost' });
  expect(service.asked).toHaveLength(before);
  const lost = await reopen(openMemorySecretStore());
  await lost.update(id, { apiKey: 'again' });
  expect(await lost.get(id).api.listStreams()).toEqual([]);
});

test('a service is removed with its key, unless it is on air from here', async () => {
  const service = await serve(answerWell);
  let isInUse = true;
  const { services, reopen } = await openRemotes({ isInUse: () => isInUse });
  const { id } = await services.add({ name: 'Team', baseUrl: service.baseUrl, apiKey });
  await expect(services.remove(id)).rejects.toMatchObject({ code: 'SERVICE_IN_USE' });
  isInUse = false;
  await services.remove(id);
  expect(services.list()).toEqual([]);
  expect((await reopen()).list()).toEqual([]);
  await expect(services.remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

/** A service and its next address; `meanwhile` runs while that is checked. */
async function openMoving(meanwhile: () => Promise<unknown>, options: Parameters<typeof openRemotes>[0] = {}) {
  const here = await serve(answerWell);
  let isChecked = false;
  const there = await serve((asked, response) => {
    const act = isChecked ? Promise.resolve() : meanwhile();
    isChecked = true;
    void act.then(() => response.end(JSON.stringify(answerWell(asked, response)?.json)));
    return undefined;
  });
  const remotes = await openRemotes(options);
  const { id } = await remotes.services.add({ name: 'Team', baseUrl: here.baseUrl, apiKey });
  return { ...remotes, id, here, there, move: () => remotes.services.update(id, { baseUrl: there.baseUrl, apiKey: 'other' }) };
}

test('a name that is changed while another address is checked stays', async () => {
  const { services, id, move, there, reopen } = await openMoving(() => services.update(id, { name: 'Crew' }));
  const moved = { id, name: 'Crew', baseUrl: there.baseUrl };
  expect(await move()).toMatchObject(moved);
  expect((await reopen()).list()).toMatchObject([moved]);
});

test('a service that is removed while another address is checked stays removed', async () => {
  const { services, id, move, reopen } = await openMoving(() => services.remove(id));
  await expect(move()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(services.list()).toEqual([]);
  expect((await reopen()).list()).toEqual([]);
});

test('a service that goes on air while another address is checked keeps its own', async () => {
  let isInUse = false;
  const goLive = async () => {
    isInUse = true;
  };
  const { services, here, move } = await openMoving(goLive, { isInUse: () => isInUse });
  await expect(move()).rejects.toMatchObject({ code: 'SERVICE_IN_USE' });
  expect(services.list()).toMatchObject([{ baseUrl: here.baseUrl }]);
});

test('a service that goes on air while another address waits for the store keeps its own', async () => {
  let isInUse = false;
  const { services, here, move, writer } = await openMoving(async () => {}, { isInUse: () => isInUse });
  const { write } = writer;
  vi.spyOn(writer, 'write').mockImplementation((work, written) => {
    isInUse = true;
    return write(work, written);
  });
  await expect(move()).rejects.toMatchObject({ code: 'SERVICE_IN_USE' });
  expect(services.list()).toMatchObject([{ baseUrl: here.baseUrl }]);
});

test('a service that goes on air while its removal waits for the store is kept', async () => {
  const service = await serve(answerWell);
  let isInUse = false;
  const { services, writer, reopen } = await openRemotes({ isInUse: () => isInUse });
  const known = await services.add({ name: 'Team', baseUrl: service.baseUrl, apiKey });
  const { write } = writer;
  vi.spyOn(writer, 'write').mockImplementation((work, written) => {
    isInUse = true;
    return write(work, written);
  });
  await expect(services.remove(known.id)).rejects.toMatchObject({ code: 'SERVICE_IN_USE' });
  expect(services.list()).toEqual([known]);
  expect((await reopen()).list()).toMatchObject([{ id: known.id }]);
});

test('a key that is stored for another address is not sent to the one before', async () => {
  const { services, id, here, move, writer } = await openMoving(async () => {});
  const { write } = writer;
  const checks: unknown[] = [];
  vi.spyOn(writer, 'write').mockImplementation(async (work, written) => {
    const value = await write(work, written);
    // The disk takes its time.
    checks.push(await failureOf(services.get(id).api.checkKey()));
    return value;
  });
  await move();
  expect(checks).toEqual(['added']);
  expect(new Set(here.asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${apiKey}`]));
});

test('what is stored is in use, though the disk does not confirm it', async () => {
  const [here, there] = [await serve(answerWell), await serve(answerWell)];
  const { services, writer, reopen } = await openRemotes();
  const { write } = writer;
  const fault = new ServiceError('UNAVAILABLE', 'This was done, but the disk has not confirmed it.');
  vi.spyOn(writer, 'write').mockImplementation(async (work, written) => {
    await write(work, written);
    throw fault;
  });
  const expectStored = async (stored: object[]) => {
    expect(services.list()).toMatchObject(stored);
    expect(services.list()).toHaveLength(stored.length);
    expect((await reopen()).list()).toEqual(services.list());
  };
  await expect(services.add({ name: 'Team', baseUrl: here.baseUrl, apiKey })).rejects.toBe(fault);
  await expectStored([{ name: 'Team', baseUrl: here.baseUrl }]);
  await expect(services.update('service1', { name: 'Crew' })).rejects.toBe(fault);
  await expectStored([{ name: 'Crew', baseUrl: here.baseUrl }]);
  await expect(services.update('service1', { baseUrl: there.baseUrl, apiKey: 'other' })).rejects.toBe(fault);
  await expectStored([{ name: 'Crew', baseUrl: there.baseUrl }]);
  await services.get('service1').api.checkKey();
  expect(there.asked.at(-1)).toMatchObject({ authorization: 'Bearer other' });
  await expect(services.remove('service1')).rejects.toBe(fault);
  await expectStored([]);
});

test('an address that is changed while another one is checked stays, with its key', async () => {
  const elsewhere = await serve(answerWell);
  const { services, id, move } = await openMoving(() => services.update(id, { baseUrl: elsewhere.baseUrl, apiKey: 'third' }));
  const words = 'must be entered again: it has just been changed on another page';
  await expect(move()).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { violations: [{ code: 'rule', path: ['baseUrl'], words }] },
  });
  expect(services.list()).toMatchObject([{ baseUrl: elsewhere.baseUrl }]);
  await services.get(id).api.checkKey();
  expect(elsewhere.asked.at(-1)).toMatchObject({ authorization: 'Bearer third' });
});

test('a new key that was entered for the address before is not sent to the current one', async () => {
  const [before, now] = [await serve(answerWell), await serve(answerWell)];
  const { services } = await openRemotes();
  const { id } = await services.add({ name: 'Team', baseUrl: before.baseUrl, apiKey });
  await services.update(id, { baseUrl: now.baseUrl, apiKey: 'second' });
  await expect(services.update(id, { apiKey: 'third', insteadOf: before.baseUrl })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { violations: [{ code: 'rule', path: ['baseUrl'] }] },
  });
  await services.get(id).api.checkKey();
  const sent = new Set(now.asked.map(({ authorization }) => authorization).filter(Boolean));
  expect(sent).toEqual(new Set(['Bearer second']));
  await services.update(id, { apiKey: 'third', insteadOf: now.baseUrl });
  expect(now.asked.at(-1)).toMatchObject({ authorization: 'Bearer third' });
});

test('another name changes nothing that is known of a service: why it failed, and when it wants to be asked again', async () => {
  let isDown = false;
  const service = await serve((asked, response) =>
    isDown ? { status: 503, headers: { 'retry-after': '60' } } : answerWell(asked, response),
  );
  const { services } = await openRemotes();
  const { id } = await services.add({ name: 'Team', baseUrl: service.baseUrl, apiKey });
  isDown = true;
  const poll = () => services.get(id).api.poll(() => services.get(id).api.listStreams());
  await expect(poll()).rejects.toBeInstanceOf(RemoteError);
  const { failure } = services.list()[0]!;
  expect(failure).toMatchObject({ code: 'server-error', retryAfterSeconds: 60 });
  const asked = service.asked.length;
  expect(await services.update(id, { name: 'Crew' })).toMatchObject({ name: 'Crew', failure });
  await expect(poll()).rejects.toBeInstanceOf(RemoteError);
  expect(service.asked).toHaveLength(asked);
});

test('regions that a service has now are known at once, and kept as soon as the store takes them', async () => {
  const pairs = [oddPair];
  const service = await serve((asked, response) =>
    asked.path === '/api/ingest?first=false' ? { json: pairs } : answerWell(asked, response),
  );
  const { services, reopen, writer, folder } = await openRemotes();
  const { id, mediaOrigins } = await services.add({ name: 'Team', baseUrl: service.baseUrl, apiKey });
  const added = { ingest: 'rtmp://lon-rtmp.example.com/live', playback: 'https://lon-cdn.example.com/hls' };
  pairs.push({ ...added, base: 'https://lon-cdn.example.com' });
  using rival = lockStore(folder);
  expect(await services.readPairs(services.get(id))).toEqual(pairs);
  const now = [...mediaOrigins, 'https://lon-cdn.example.com'];
  expect(services.mediaOrigins()).toEqual(now);
  expect((await reopen()).mediaOrigins()).toEqual(mediaOrigins);
  rival.release();
  expect(writer.flush()).toBe(true);
  expect((await reopen()).mediaOrigins()).toEqual(now);
});
