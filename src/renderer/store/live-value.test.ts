import { ORPCError } from '@orpc/client';
import { expect, onTestFinished, test } from 'vitest';
import { type ConnectionCore, createConnectionCore } from '../client/connection.ts';
import { createLiveValue, type LiveValue } from './live-value.ts';

const link = { call: () => Promise.reject(new Error('not called')) };
const connect = (): ConnectionCore => createConnectionCore({ now: () => 0, onClose: () => {} });

/** Events of one value, which stays. */
async function* staying<T>(value: T): AsyncGenerator<T> {
  yield value;
  await new Promise(() => {});
}

/** Listens until the undo is called, or the test is over: nothing waits to open the events again after that. */
function listen<T>(live: LiveValue<T>, listener: () => void): () => void {
  const undo = live.subscribe(listener);
  onTestFinished(undo);
  return undo;
}

/** Listens until the snapshot satisfies `wanted`, and resolves with the undo. */
function until<T>(live: LiveValue<T>, wanted: (snapshot: ReturnType<LiveValue<T>['get']>) => boolean): Promise<() => void> {
  return new Promise((resolve) => {
    const undo = listen(live, () => {
      if (wanted(live.get())) resolve(undo);
    });
  });
}

/** Every snapshot that listeners are told until one satisfies `wanted`. */
async function recordUntil<T>(live: LiveValue<T>, wanted: Parameters<typeof until<T>>[1]): Promise<unknown[]> {
  const seen: unknown[] = [];
  const leave = listen(live, () => seen.push(live.get()));
  (await until(live, wanted))();
  leave();
  return seen;
}

test('it waits for the connection, then keeps the newest value', async () => {
  const connection = connect();
  const events = async function* () {
    yield 1;
    yield 2;
    await new Promise(() => {});
  };
  const live = createLiveValue<number>(connection, async () => events());
  const reached = until(live, (snapshot) => snapshot.kind === 'known' && snapshot.value === 2);
  expect(live.get()).toEqual({ kind: 'waiting' });
  connection.opened(link);
  await reached;
  expect(live.get()).toEqual({ kind: 'known', value: 2 });
});

test('it resubscribes when the connection is back, and keeps the last value meanwhile', async () => {
  const connection = connect();
  let opened = 0;
  const live = createLiveValue<number>(
    connection,
    async () => {
      opened += 1;
      const value = opened;
      return (async function* () {
        yield value;
        throw new Error('the socket fell');
      })();
    },
    { retryMs: 60_000 },
  );
  const first = until(live, (snapshot) => snapshot.kind === 'known' && snapshot.value === 1);
  connection.opened(link);
  await first;
  connection.lost();
  expect(live.get()).toMatchObject({ kind: 'known', value: 1 });
  const second = until(live, (snapshot) => snapshot.kind === 'known' && snapshot.value === 2);
  connection.opened(link);
  await second;
  expect(opened).toBe(2);
});

test('what was known before contact was lost says since when, until it has been read again over the same link', async () => {
  let nowMs = 1_000;
  const connection = createConnectionCore({ now: () => nowMs, onClose: () => {} });
  const live = createLiveValue<string>(connection, async (_client, signal) =>
    (async function* () {
      yield 'on air';
      // The link itself stays up, like the app's port.
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    })(),
  );
  connection.opened(link);
  const seen: unknown[] = [];
  listen(live, () => seen.push(live.get()));
  await until(live, ({ kind }) => kind === 'known');
  connection.lost();
  nowMs = 5_000;
  const back = until(live, (snapshot) => snapshot.kind === 'known' && snapshot.unreadSinceMs === undefined);
  connection.opened(link);
  expect(live.get()).toEqual({ kind: 'known', value: 'on air', unreadSinceMs: 1_000 });
  await back;
  expect(seen).toEqual([
    { kind: 'known', value: 'on air' },
    { kind: 'known', value: 'on air', unreadSinceMs: 1_000 },
    { kind: 'known', value: 'on air' },
  ]);
});

test('a value that was under way when contact was lost is not taken for one that was read since', async () => {
  const connection = createConnectionCore({ now: () => 1_000, onClose: () => {} });
  const underWay = Promise.withResolvers<string>();
  const over = Promise.withResolvers<void>();
  const live = createLiveValue<string>(connection, async () =>
    (async function* () {
      try {
        yield 'on air';
        yield await underWay.promise;
      } finally {
        over.resolve();
      }
    })(),
  );
  connection.opened(link);
  listen(live, () => {});
  await until(live, ({ kind }) => kind === 'known');
  connection.lost();
  underWay.resolve('on air for longer');
  await over.promise;
  expect(live.get()).toEqual({ kind: 'known', value: 'on air', unreadSinceMs: 1_000 });
});

test.each([
  ['shortly before somebody listens again is still shown', 60_000, 'known'],
  ['long before is waited for again', -1, 'waiting'],
])('what was known %s', async (_when, keptMs, kind) => {
  const connection = connect();
  const live = createLiveValue<number>(connection, async () => staying(1), { keptMs });
  connection.opened(link);
  const undo = await until(live, (snapshot) => snapshot.kind === 'known');
  undo();
  expect(live.get().kind).toBe(kind);
  const leave = listen(live, () => {});
  expect(live.get().kind).toBe(kind);
  leave();
});

test('the last listener to leave cancels the events', async () => {
  const connection = connect();
  connection.opened(link);
  let signal: AbortSignal | undefined;
  const live = createLiveValue<number>(connection, async (_client, given) => {
    signal = given;
    return staying(1);
  });
  const other = listen(live, () => {});
  const undo = await until(live, (snapshot) => snapshot.kind === 'known');
  undo();
  expect(signal?.aborted).toBe(false);
  other();
  expect(signal?.aborted).toBe(true);
});

test('a missing value fails for good, and a new listener asks again', async () => {
  const connection = connect();
  connection.opened(link);
  let opened = 0;
  const live = createLiveValue<number>(
    connection,
    async () => {
      opened += 1;
      throw new ORPCError('NOT_FOUND', { message: 'No stream has this id.' });
    },
    { retryMs: 0 },
  );
  const undo = await until(live, (snapshot) => snapshot.kind === 'failed');
  expect(live.get()).toMatchObject({ kind: 'failed', failure: { sentence: 'No stream has this id.' } });
  expect(opened).toBe(1);
  undo();
  await until(live, (snapshot) => snapshot.kind === 'failed');
  expect(opened).toBe(2);
});

test('a value of a remote service that fails says so, is asked for again, and is known once the service answers', async () => {
  const connection = connect();
  connection.opened(link);
  let opened = 0;
  const open = async () => {
    opened += 1;
    if (opened < 3) throw new ORPCError('REMOTE_FAILED', { message: 'The service closed the connection.' });
    return staying(7);
  };
  const live = createLiveValue<number>(connection, open, { elsewhereRetryMs: 0 });
  const shown: string[] = [];
  listen(live, () => shown.push(live.get().kind));
  const undo = await until(live, (snapshot) => snapshot.kind === 'known');
  expect([shown, live.get()]).toEqual([['failed', 'failed', 'known'], { kind: 'known', value: 7 }]);
  undo();
});

test('a refusal is reported at once where it is wanted, and it is asked again', async () => {
  const connection = connect();
  let asked = 0;
  const refused = async () => {
    asked += 1;
    if (asked > 1) return staying('shown');
    throw new ORPCError('UNAVAILABLE', { message: 'Too many pages show a preview. Close one of them.' });
  };
  const live = createLiveValue<string>(connection, refused, { retryMs: 1, tellsRefusals: true });
  const failed = until(live, ({ kind }) => kind === 'failed');
  const known = until(live, ({ kind }) => kind === 'known');
  const seen: unknown[] = [];
  listen(live, () => seen.push(live.get()));
  connection.opened(link);
  await failed;
  await known;
  expect(seen).toMatchObject([
    { kind: 'failed', failure: { sentence: 'Too many pages show a preview. Close one of them.' } },
    { kind: 'known', value: 'shown' },
  ]);
});

test('a known value whose service keeps refusing is marked, with since when, and is current again with the next one', async () => {
  const connection = connect();
  connection.opened(link);
  let asked = 0;
  const open = async () => {
    asked += 1;
    if (asked === 2 || asked === 3 || asked === 4) throw new ORPCError('INTERNAL', { message: `Refused ${asked}.` });
    const value = `value ${asked}`;
    return (async function* () {
      yield value;
      if (asked === 1) throw new ORPCError('INTERNAL', { message: 'The store cannot be read.' });
      await new Promise(() => {});
    })();
  };
  const live = createLiveValue<string>(connection, open, { retryMs: 1, asRefused: (value) => `${value}, from before` });
  const beforeMs = Date.now();
  const seen = await recordUntil(live, (snapshot) => snapshot.kind === 'known' && snapshot.value === 'value 5');
  const sinceMs = expect.toSatisfy((time: number) => time >= beforeMs && time <= Date.now());
  const refused = (sentence: string) => ({
    kind: 'known',
    value: 'value 1, from before',
    refused: { failure: expect.objectContaining({ code: 'INTERNAL', sentence }), sinceMs },
  });
  expect(seen).toEqual([
    { kind: 'known', value: 'value 1' },
    refused('Refused 2.'),
    refused('Refused 3.'),
    refused('Refused 4.'),
    { kind: 'known', value: 'value 5' },
  ]);
});

test('refusals that pass by themselves are not shown, however often they come', async () => {
  const connection = connect();
  connection.opened(link);
  let asked = 0;
  const open = async () => {
    asked += 1;
    const value = asked;
    return (async function* () {
      yield value;
      if (value < 4) throw new ORPCError('INTERNAL', { message: 'The store cannot be read.' });
      await new Promise(() => {});
    })();
  };
  const live = createLiveValue<number>(connection, open, { retryMs: 1 });
  expect(await recordUntil(live, (snapshot) => snapshot.kind === 'known' && snapshot.value === 4)).toEqual(
    [1, 2, 3, 4].map((value) => ({ kind: 'known', value })),
  );
});

test('a value that was never known and is refused again has failed, until it is known', async () => {
  const connection = connect();
  connection.opened(link);
  let asked = 0;
  const open = async () => {
    asked += 1;
    if (asked < 4) throw new ORPCError('UNAVAILABLE', { message: `Refused ${asked}.` });
    return staying(7);
  };
  const live = createLiveValue<number>(connection, open, { retryMs: 1 });
  expect(await recordUntil(live, ({ kind }) => kind === 'known')).toMatchObject([
    { kind: 'failed', failure: { sentence: 'Refused 2.' } },
    { kind: 'failed', failure: { sentence: 'Refused 3.' } },
    { kind: 'known', value: 7 },
  ]);
});

test('a refusal that nobody saw does not count for those who listen later', async () => {
  const connection = connect();
  connection.opened(link);
  let refuse = Promise.withResolvers<never>();
  let asked = Promise.withResolvers<void>();
  const open = () => {
    asked.resolve();
    return refuse.promise;
  };
  const live = createLiveValue<number>(connection, open, { retryMs: 1, keptMs: -1 });
  /** Refuses the request that is under way, and waits for the next one. */
  const refuseOnce = async () => {
    await asked.promise;
    const { reject } = refuse;
    refuse = Promise.withResolvers();
    asked = Promise.withResolvers();
    reject(new ORPCError('UNAVAILABLE', { message: 'Refused.' }));
    await asked.promise;
  };
  const leave = listen(live, () => {});
  await refuseOnce();
  leave();
  asked = Promise.withResolvers();
  listen(live, () => {});
  await refuseOnce();
  expect(live.get()).toEqual({ kind: 'waiting' });
  await refuseOnce();
  expect(live.get()).toMatchObject({ kind: 'failed', failure: { sentence: 'Refused.' } });
});
