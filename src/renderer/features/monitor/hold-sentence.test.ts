import { expect, test } from 'vitest';
import type { AirState } from '../../../shared/model/live.ts';
import { describeHold } from './hold-sentence.ts';

const onAir: AirState = { kind: 'on-air', since: 0, sessionId: 's' };
const lost: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1_000, until: 61_000 };

test('while the publisher is lost it says for how long, and when the broadcast ends', () => {
  expect(describeHold('no-segment', 4.7, { air: lost, isLost: false, nowMs: 5_000 })).toEqual({
    title: 'Nothing new for 4 s: the encoder is gone',
    sentence: 'Viewers keep this picture. The broadcast continues when the encoder is back. It ends in 56 s if it is not.',
  });
});

test('an encoder that is back is not said to be gone', () => {
  const back: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1_000, back: 'sending' };
  expect(describeHold('no-segment', 61, { air: back, isLost: false, nowMs: 62_000 })).toEqual({
    title: 'The encoder is back',
    sentence: 'Its first picture comes in a moment. Viewers keep this one.',
  });
});

test('an encoder that is connected again and sends nothing is neither back nor gone', () => {
  const connected: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1_000, back: 'connected' };
  expect(describeHold('no-segment', 6, { air: connected, isLost: false, nowMs: 7_000 })).toEqual({
    title: 'Nothing new for 6 s: the encoder sends nothing',
    sentence: 'It is connected again, and its picture is awaited. Viewers keep this one.',
  });
});

test('each reason has its own words while on air', () => {
  const titles = (['no-segment', 'unreachable', 'undecodable', 'stuck'] as const).map(
    (reason) => describeHold(reason, 0.2, { air: onAir, isLost: false, nowMs: 0 }).title,
  );
  expect(titles).toEqual([
    'Nothing new for 1 s',
    'The playback URL does not answer',
    'The picture cannot be decoded',
    'The picture has stopped',
  ]);
});

test('a service that is not heard is not said to be on air', () => {
  const words = (['no-segment', 'unreachable', 'stuck'] as const).map((reason) =>
    describeHold(reason, 7, { air: onAir, isLost: true, nowMs: 0 }),
  );
  const gone = {
    title: 'Nothing new for 7 s: the service does not answer',
    sentence: 'It was closed, or the network is down. The monitor tries again by itself.',
  };
  expect(words).toEqual([gone, gone, expect.objectContaining({ title: 'The picture has stopped' })]);
});
