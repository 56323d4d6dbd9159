import { expect, test } from 'vitest';
import type { OneClickState } from '../../shared/model/live.ts';
import type { OneClickFailure } from '../../shared/model/one-click-failure.ts';
import { testSource } from '../../shared/model/source.ts';
import { findLoss, LostElsewhere } from './lost-elsewhere.ts';

const failed = (failure: OneClickFailure): OneClickState => ({
  kind: 'failed',
  source: testSource,
  at: 90_000,
  failure,
  stderr: [],
});
const refused = failed({ code: 'key-refused' });
const played = { sessionId: 'jfk-1', since: 10_000, stoppedAt: undefined };
const loss = {
  sessionId: 'jfk-1',
  startedAt: 10_000,
  endedAt: 90_000,
  onAirMs: 80_000,
  reason: 'encoder-failed',
  severity: 'bad',
  failure: { code: 'key-refused' },
};

test("a broadcast that viewers had and that failed is lost; how long they had it doesn't count the tries after", () => {
  expect(findLoss(played, refused)).toEqual(loss);
  expect(findLoss({ ...played, stoppedAt: 30_000 }, refused)).toEqual({ ...loss, onAirMs: 20_000 });
});

test('a broadcast that nobody had, or that was stopped or taken over, is not lost', () => {
  expect([
    findLoss(undefined, refused),
    findLoss(played, { kind: 'idle' }),
    findLoss(played, failed({ code: 'taken-over' })),
  ]).toEqual([undefined, undefined, undefined]);
});

test('a loss stays until it is dismissed or forgotten', () => {
  const lost = new LostElsewhere();
  const [first, second] = [findLoss(played, refused), findLoss({ ...played, sessionId: 'jfk-2' }, refused)];
  if (first === undefined || second === undefined) throw new Error('Nothing is lost.');
  lost.note('show', first);
  lost.note('other', second);
  expect([lost.dismiss('show', 'jfk-2'), lost.find('show')]).toEqual([false, first]);
  expect([lost.dismiss('show', 'jfk-1'), lost.find('show')]).toEqual([true, undefined]);
  lost.forget('other');
  expect(lost.find('other')).toBeUndefined();
});
