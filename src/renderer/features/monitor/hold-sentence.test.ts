import { expect, test } from 'vitest';
import type { AirState } from '../../../shared/model/live.ts';
import { describeHold } from './hold-sentence.ts';

const onAir: AirState = { kind: 'on-air', since: 0, sessionId: 's' };
const lost: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1_000, until: 61_000 };

test('while the publisher is lost it says for how long, and when the broadcast ends', () => {
  expect(describeHold('no-segment', 4.7, lost, 5_000)).toEqual({
    title: 'No segment for 4 s: the encoder has stopped',
    sentence: 'Viewers keep this picture. The broadcast goes on when the encoder is back, and ends in 56 s if it is not.',
  });
});

test('each reason has its own words while on air', () => {
  const titles = (['no-segment', 'unreachable', 'undecodable', 'stuck'] as const).map(
    (reason) => describeHold(reason, 0.2, onAir, 0).title,
  );
  expect(titles).toEqual([
    'No segment for 1 s',
    'The playback URL does not answer',
    'The picture cannot be decoded',
    'The picture stands still',
  ]);
});
