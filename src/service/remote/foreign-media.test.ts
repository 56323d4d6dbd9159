import { expect, test } from 'vitest';
import type { OneClickState } from '../../shared/model/live.ts';
import { ForeignMedia } from './foreign-media.ts';
import { AnsweredSession, AnsweredStream } from './remote-answers.ts';

const stored = { id: 's', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', isActive: true };
const answer = (sourceSegments: number, lastSeen = 0) => ({
  stream: AnsweredStream.parse({ ...stored, sourceSegments, lastSeen }),
  session: undefined,
});

/** Whether the broadcast on air is foreign after each event: one click's state from a time on, or the service's count of segments then. */
function follow(
  ...steps: readonly (readonly [atMs: number, step: OneClickState['kind'] | number, lastSeen?: number])[]
): boolean[] {
  const media = new ForeignMedia();
  return steps.map(([atMs, step, lastSeen]) => {
    if (typeof step === 'number') media.note(answer(step, lastSeen), atMs);
    else media.follow({ kind: step } as OneClickState, atMs);
    return media.isOnAir;
  });
}

test('segments that keep coming long after our connection was lost are foreign, until we send again', () => {
  const steps = [
    [0, 'running'],
    [60_000, 10],
    [60_000, 'retrying'],
    [70_000, 13],
    [72_000, 14],
    [74_000, 15],
  ] as const;
  expect(follow(...steps)).toEqual([false, false, false, false, false, true]);
  expect(follow(...steps, [75_000, 'running'], [80_000, 'retrying'], [82_000, 17]).slice(-3)).toEqual([false, false, false]);
});

test('another attempt of ours, while the ingest refuses us, begins nothing again', () => {
  const tries = [65_000, 69_000, 71_000, 73_000].map((atMs) => [atMs, 'retrying'] as const);
  const steps = [[0, 'running'], [60_000, 10], [60_000, 'retrying'], ...tries.slice(0, 2), [70_000, 13]] as const;
  expect(follow(...steps, ...tries.slice(2), [74_000, 14], [76_000, 15]).slice(-2)).toEqual([false, true]);
});

test('what a service counts late of our own media is not foreign', () => {
  const lost = [
    [0, 'running'],
    [60_000, 10],
    [60_000, 'retrying'],
  ] as const;
  // Soon after the loss, or after a long time without answers.
  expect(follow(...lost, [62_000, 11], [64_000, 12], [69_999, 13], [90_000, 14]).at(-1)).toBe(false);
  // The last segment is closed once it is clear that nothing follows.
  expect(follow(...lost, [75_000, 10], [77_000, 11], [99_000, 11]).at(-1)).toBe(false);
  // A service may update `lastSeen` while it waits for us.
  expect(follow(...lost, [75_000, 10, 75], [77_000, 10, 77], [79_000, 10, 79]).at(-1)).toBe(false);
});

test('without a connection of ours, segments that keep coming are foreign at once', () => {
  const steps = [
    [0, 'starting'],
    [1_000, 3],
    [2_000, 'retrying'],
    [3_000, 3],
    [5_000, 4],
    [7_000, 5],
    [8_000, 'stopping'],
    [9_000, 'idle'],
    [10_000, 'starting'],
  ] as const;
  expect(follow(...steps)).toEqual([false, false, false, false, false, true, true, true, false]);
});

test('our own broadcast, which the service still holds, is not foreign to the next start', () => {
  const steps = [
    [0, 'running'],
    [5_000, 10],
    [6_000, 'retrying'],
    [7_000, 'idle'],
    [8_000, 'starting'],
    [9_000, 'retrying'],
    [10_000, 10],
    [60_000, 10],
  ] as const;
  expect(follow(...steps)).not.toContain(true);
});

test('once ours has failed or was stopped, a new session is foreign at once, but not while an attempt of ours may have begun it', () => {
  const media = new ForeignMedia();
  const see = (kind: OneClickState['kind'], id: string, isActive = true) => {
    media.follow({ kind } as OneClickState, 0);
    media.note({ ...answer(0), session: AnsweredSession.parse({ id, name: 'Show', createdAt: 1, isActive }) }, 0);
    return media.isOnAir;
  };
  expect([see('running', 'ours'), see('failed', 'ours'), see('failed', 'earlier', false)]).toEqual([false, false, false]);
  expect([see('failed', 'theirs'), see('starting', 'theirs')]).toEqual([true, false]);
  expect([see('running', 'theirs'), see('running', 'ours'), see('idle', 'ours'), see('idle', 'theirs')]).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect([see('running', 'ours'), see('retrying', 'attempt')]).toEqual([false, false]);
  // One click reports something while it sends, and is stopped before the service's next answer.
  see('running', 'ours');
  media.follow({ kind: 'running' } as OneClickState, 0);
  expect(see('idle', 'theirs')).toBe(true);
});

test('a session that an attempt of ours has begun is not foreign once ours has failed or was stopped', () => {
  const end = (...steps: readonly (OneClickState['kind'] | { id: string })[]) => {
    const media = new ForeignMedia();
    for (const step of steps) {
      if (typeof step === 'string') media.follow({ kind: step } as OneClickState, 0);
      else
        media.note(
          { ...answer(0), session: AnsweredSession.parse({ ...step, name: 'Show', createdAt: 1, isActive: true }) },
          0,
        );
    }
    return media.isOnAir;
  };
  const first = { id: 'first' };
  const second = { id: 'second' };
  // It was connected for less than the time between two answers.
  expect(end('running', first, 'retrying', first, 'running', 'retrying', second, 'failed', second)).toBe(false);
  expect(end('running', first, 'retrying', first, 'running', 'idle', second)).toBe(false);
  expect(end('running', first, 'retrying', first, 'idle', second)).toBe(true);
});

test('a session that its service lists only after the end of ours may be ours', () => {
  const media = new ForeignMedia();
  const session = AnsweredSession.parse({ id: 'late', name: 'Show', createdAt: 1, isActive: true });
  media.follow({ kind: 'running' } as OneClickState, 0);
  media.note(answer(0), 0);
  media.follow({ kind: 'idle' }, 0);
  media.note({ ...answer(0), session }, 0);
  expect(media.isOnAir).toBe(false);
});
