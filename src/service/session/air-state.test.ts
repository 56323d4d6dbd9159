import { expect, test } from 'vitest';
import type { AirState } from '../../shared/model/live.ts';
import type { AirPhase } from './air-machine.ts';
import { type AirFacts, formatAirState, signalEndsInMs } from './air-state.ts';

const now = 100_000;
const sending = { quietSince: now - 40, lastMediaAt: now - 40, isAwaitingKeyframe: false, unplayable: undefined };
const unusable = { ...sending, unplayable: { sinceMs: 90_000, why: 'unusable' } } as const;
const silent = { ...sending, quietSince: now - 3_001, lastMediaAt: now - 3_001 };

const connecting: AirPhase = { kind: 'connecting', since: 60_000 };
const onAir: AirPhase = { kind: 'on-air', since: 60_000 };
const gone: AirPhase = {
  kind: 'reconnecting',
  since: 60_000,
  lostAt: 95_000,
  until: 155_000,
  isBack: false,
  isKeyRenewed: false,
  cameBackSilent: false,
};
const back: AirPhase = { ...gone, isBack: true };

/** Times of day are a million milliseconds later. */
const at = (ms: number) => 1_000_000 + ms;
const shown = { kind: 'on-air', since: at(60_000), sessionId: 'a' } as const;
const lost = { kind: 'reconnecting', since: at(60_000), sessionId: 'a', lostAt: at(95_000) } as const;

test.each<[string, AirPhase, Partial<AirFacts>, AirState]>([
  ['never on air', { kind: 'off-air' }, {}, { kind: 'off-air' }],
  [
    'off air again',
    { kind: 'off-air', endedAt: 90_000, reason: 'stopped' },
    {},
    { kind: 'off-air', endedAt: at(90_000), reason: 'stopped' },
  ],
  ['connecting', connecting, { publisher: sending }, { kind: 'connecting', since: at(60_000) }],
  [
    'connecting, without a keyframe yet',
    connecting,
    { publisher: { ...sending, isAwaitingKeyframe: true } },
    { kind: 'connecting', since: at(60_000), awaiting: 'keyframe' },
  ],
  [
    'connecting, without a keyframe before it fell silent',
    connecting,
    { publisher: { ...silent, isAwaitingKeyframe: true } },
    { kind: 'connecting', since: at(60_000) },
  ],
  ['on air', onAir, { publisher: sending, lastMediaAt: now - 40 }, shown],
  ['on air, silent for 3 s', onAir, { publisher: silent, lastMediaAt: now - 3_000 }, shown],
  [
    'on air, silent for longer',
    onAir,
    { publisher: silent, lastMediaAt: now - 3_001 },
    { ...shown, silentSince: at(now - 3_001) },
  ],
  [
    'on air, with media that does not play',
    onAir,
    { publisher: unusable, lastMediaAt: now - 40 },
    { ...shown, silentSince: at(90_000), unplayable: 'unusable' },
  ],
  [
    'on air, with media that did not play before it fell silent',
    onAir,
    { publisher: unusable, lastMediaAt: now - 3_001 },
    { ...shown, silentSince: at(90_000) },
  ],
  ['on air, without media', onAir, { publisher: unusable, lastMediaAt: undefined }, shown],
  ['reconnecting', gone, {}, { ...lost, until: at(155_000) }],
  [
    'reconnecting after its key was renewed',
    { ...gone, isKeyRenewed: true },
    {},
    { ...lost, until: at(155_000), isKeyRenewed: true },
  ],
  ['back, and sending', back, { publisher: sending }, { ...lost, back: 'sending' }],
  ['back, with media that does not play', back, { publisher: unusable }, { ...lost, back: 'sending', unplayable: 'unusable' }],
  ['back, and silent', back, { publisher: silent }, { ...lost, back: 'connected' }],
  ['back, and about to send', back, { publisher: { ...sending, lastMediaAt: undefined } }, { ...lost, back: 'sending' }],
  [
    'back without media, as the publisher before was',
    { ...back, cameBackSilent: true },
    { publisher: { ...sending, lastMediaAt: undefined } },
    { ...lost, back: 'connected' },
  ],
  [
    'back with media, unlike the publisher before',
    { ...back, cameBackSilent: true },
    { publisher: sending },
    { ...lost, back: 'sending' },
  ],
])('the air state of a stream that is %s', (_, phase, changes, state) => {
  expect(formatAirState(phase, { now, lastMediaAt: undefined, publisher: undefined, sessionId: 'a', ...changes }, at)).toEqual(
    state,
  );
});

test('media counts as a signal for 3 s', () => {
  expect([signalEndsInMs(now - 1_000, now), signalEndsInMs(now - 4_000, now), signalEndsInMs(undefined, now)]).toEqual([
    2_000,
    -1_000,
    Number.NEGATIVE_INFINITY,
  ]);
});
