import { expect, test } from 'vitest';
import { AnsweredStream } from './remote-answers.ts';
import { RemoteProgress } from './remote-progress.ts';

const stream = (changes: object) =>
  AnsweredStream.parse({ id: 's', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', profiles: [], ...changes });

test('a stream is silent once its numbers have not moved for ten seconds of answers, whatever its clock says', () => {
  const progress = new RemoteProgress();
  const note = (nowMs: number, lastSeen: number) => {
    progress.note({ stream: stream({ isActive: true, lastSeen }), session: undefined }, nowMs);
    return progress.silentSinceMs;
  };
  expect([note(1_000, 5), note(10_999, 5), note(11_000, 5), note(13_000, 6), note(15_000, 6)]).toEqual([
    undefined,
    undefined,
    1_000,
    undefined,
    undefined,
  ]);
  progress.note({ stream: stream({}), session: undefined }, 40_000);
  progress.note({ stream: stream({}), session: undefined }, 60_000);
  expect([progress.activeSinceMs, progress.silentSinceMs]).toEqual([undefined, undefined]);
});
