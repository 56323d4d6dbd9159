import { expect, test } from 'vitest';
import { AnsweredStream } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import { RemoteError } from './remote-error.ts';
import { RemoteList } from './remote-list.ts';

test('a broadcast that began while nobody watched the list is not as old as one that was seen before', async () => {
  let now = 0;
  const stored = { id: 'show', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', isActive: true };
  const api = {
    clockAheadMs: 0,
    poll: (read: () => unknown) => read(),
    listStreams: async () => [AnsweredStream.parse({ ...stored, lastSeen: now })],
    // As from a service that doesn't list broadcasts.
    listActiveSessions: () => Promise.reject(new RemoteError({ code: 'refused', status: 400 })),
  } as unknown as RemoteApi;
  const list = new RemoteList({ api: () => api, clock: { now: () => now } });
  const lookOnce = async () => {
    const leave = list.need();
    await list.nextRead();
    leave();
    return list.findOnAir('show').since;
  };
  expect(await lookOnce()).toBe(0);
  now = 5 * 3_600_000;
  expect(await lookOnce()).toBe(now);
});

test('a stream is on air since its newest broadcast began, by our clock, though the service calls an earlier one active, too', async () => {
  const streams = ['show', 'talk', 'idle'].map((id) =>
    AnsweredStream.parse({ id, name: id, createdAt: 1, playbackId: id, streamKey: id, isActive: id !== 'idle', lastSeen: 1 }),
  );
  const api = {
    clockAheadMs: 60_000,
    poll: (read: () => unknown) => read(),
    listStreams: async () => streams,
    // Newest first, as services list them.
    listActiveSessions: async () => [
      { parentId: 'show', id: 'third', createdAt: 163_000 },
      { parentId: 'talk', id: 'second', createdAt: 162_000 },
      { parentId: 'show', id: 'first', createdAt: 161_000 },
    ],
  } as unknown as RemoteApi;
  const list = new RemoteList({ api: () => api, clock: { now: () => 200_000 } });
  const leave = list.need();
  await list.nextRead();
  leave();
  expect(['show', 'talk'].map((id) => list.findOnAir(id))).toEqual([
    { sessionId: 'third', since: 103_000 },
    { sessionId: 'second', since: 102_000 },
  ]);
});

test('a list that could not be read keeps the streams that it had, and is well again with the next answer', async () => {
  const stored = { id: 'show', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', isActive: true, lastSeen: 1 };
  let failing: 'streams' | 'sessions' | undefined;
  const fail = () => Promise.reject(new RemoteError({ code: 'server-error', status: 502 }));
  const api = {
    clockAheadMs: 0,
    poll: (read: () => unknown) => read(),
    listStreams: async () => (failing === 'streams' ? fail() : [AnsweredStream.parse(stored)]),
    listActiveSessions: async () => (failing === 'sessions' ? fail() : []),
  } as unknown as RemoteApi;
  const list = new RemoteList({ api: () => api, clock: { now: () => 0 } });
  let changes = 0;
  list.onChange(() => {
    changes += 1;
  });
  const leave = list.need();
  await list.nextRead();
  const seen: unknown[] = [];
  for (const next of ['streams', undefined, 'sessions', undefined] as const) {
    failing = next;
    list.readSoon();
    await list.nextRead();
    seen.push([list.error?.failure.code, list.find('show')?.name, list.find('other'), changes]);
  }
  leave();
  expect(seen).toEqual([
    ['server-error', 'Show', undefined, 2],
    [undefined, 'Show', undefined, 3],
    ['server-error', 'Show', undefined, 4],
    [undefined, 'Show', undefined, 5],
  ]);
});

test.each([
  [
    'an answer',
    [AnsweredStream.parse({ id: 'old', name: 'Old', createdAt: 1, playbackId: 'p', streamKey: 'k', isActive: false })],
  ],
  ['a failure', new RemoteError({ code: 'timed-out', afterMs: 10_000 })],
])('%s from before the last watcher left changes nothing, however late it comes', async (_what, late) => {
  const answers: PromiseWithResolvers<AnsweredStream[]>[] = [];
  const api = {
    clockAheadMs: 0,
    poll: (read: () => unknown) => read(),
    listStreams: () => {
      const answer = Promise.withResolvers<AnsweredStream[]>();
      answers.push(answer);
      return answer.promise;
    },
  } as unknown as RemoteApi;
  const list = new RemoteList({ api: () => api, clock: { now: () => 0 } });
  let changes = 0;
  list.onChange(() => {
    changes += 1;
  });
  list.need()();
  const leave = list.need();
  const read = list.nextRead();
  if (late instanceof Error) answers[0]?.reject(late);
  else answers[0]?.resolve(late);
  await new Promise(setImmediate);
  expect([list.streams, list.error, changes]).toEqual([undefined, undefined, 0]);
  answers[1]?.resolve([]);
  await read;
  expect([list.streams, list.error, changes]).toEqual([[], undefined, 1]);
  leave();
});
