import { expect, test } from 'vitest';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import { soon } from '../../../test/support/soon.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { Upload, type UploadState } from './upload.ts';

const failure = { code: 'closed', during: 'sending' } as const;

/** An upload whose attempts a test ends one by one. */
function setUp() {
  const state = { now: 0, listeners: 0 };
  const told: string[] = [];
  const attempts: PromiseWithResolvers<MediaPublisher>[] = [];
  const returned = createEventSource<void>();
  const describe = (next: UploadState) =>
    next.kind === 'retrying' ? `retrying ${next.attempt} in ${next.retryAtMs - state.now}` : next.kind;
  const upload = new Upload({
    connect(signal) {
      const attempt = Promise.withResolvers<MediaPublisher>();
      signal.addEventListener('abort', () => attempt.reject(signal.reason));
      attempts.push(attempt);
      return attempt.promise;
    },
    clock: { monotonicMs: () => state.now },
    network: {
      onReturn(listener) {
        const off = returned.on(listener);
        state.listeners += 1;
        return () => {
          off();
          state.listeners -= 1;
        };
      },
    },
    onState: (next) => told.push(describe(next)),
    onRefused: () => told.push('refused'),
  });
  return {
    state,
    upload,
    told,
    returned,
    attemptCount: () => attempts.length,
    /** Ends the newest attempt, and waits for the next state. */
    async fail() {
      const count = told.length;
      attempts.at(-1)?.reject(new PublishError('lost', failure));
      await soon(() => expect(told.length).toBeGreaterThan(count));
    },
    async open() {
      const closed = Promise.withResolvers<{ kind: 'lost'; failure: typeof failure }>();
      attempts.at(-1)?.resolve(createFakePublisher(() => closed.promise));
      await soon(() => expect(told.at(-1)).toBe('sending'));
      return () => closed.resolve({ kind: 'lost', failure });
    },
  };
}

test('Reconnect now replaces an attempt that has no answer yet', async () => {
  const { upload, told, fail, attemptCount } = setUp();
  await fail();
  await soon(() => expect(attemptCount()).toBe(2));
  upload.reconnectNow();
  await soon(() => expect(attemptCount()).toBe(3));
  expect(told).toEqual(['retrying 1 in 0', 'retrying 2 in 0']);
  await upload.close();
});

test('Reconnect now does nothing before anything has failed, and while media is sent', async () => {
  const { upload, told, open, attemptCount } = setUp();
  upload.reconnectNow();
  const lose = await open();
  upload.reconnectNow();
  expect([attemptCount(), told]).toEqual([1, ['sending']]);
  lose();
  await upload.close();
});

test('the pause ends at once when the network is back', async () => {
  const { upload, returned, told, fail, attemptCount } = setUp();
  await fail();
  await soon(() => expect(attemptCount()).toBe(2));
  await fail();
  expect([attemptCount(), told]).toEqual([2, ['retrying 1 in 0', 'retrying 2 in 1000']]);
  returned.emit();
  await soon(() => expect(attemptCount()).toBe(3));
  await upload.close();
});

test('when the network is back, an older attempt is replaced and a fresh one continues', async () => {
  const { state, upload, returned, told, fail, attemptCount } = setUp();
  await fail();
  await soon(() => expect(attemptCount()).toBe(2));
  state.now = 999;
  returned.emit();
  expect(attemptCount()).toBe(2);
  state.now = 1_000;
  returned.emit();
  await soon(() => expect(attemptCount()).toBe(3));
  expect(told).toEqual(['retrying 1 in 0', 'retrying 2 in 0']);
  await upload.close();
});

test('the network is watched only while there is no connection', async () => {
  const { state, upload, fail, open, attemptCount } = setUp();
  expect(state.listeners).toBe(0);
  await fail();
  await soon(() => expect(attemptCount()).toBe(2));
  expect(state.listeners).toBe(1);
  const lose = await open();
  expect(state.listeners).toBe(0);
  lose();
  await soon(() => expect(state.listeners).toBe(1));
  await upload.close();
  expect(state.listeners).toBe(0);
});
