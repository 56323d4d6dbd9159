import { expect, test } from 'vitest';
import { healthy, lostFor, now, onAir, oneClickRunning } from '../../../test/support/health-facts.ts';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import type { Verdict } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { drawVerdict } from './verdict.ts';
import { lastedMs } from './verdict-lasted.ts';

test('a trouble that takes time to notice has lasted for as long', () => {
  const lasted = (facts: HealthFacts) => lastedMs(drawVerdict(facts) as Verdict, facts);
  expect(lasted({ ...healthy, air: { ...onAir, silentSince: now - 4_000 } })).toBe(4_000);
  expect(lasted({ ...healthy, sound: [{ code: 'silent', severity: 'warn' }] })).toBe(10_000);
  expect(lasted(healthy)).toBe(0);
});

test('silence and an unseen region have lasted since they began; another trouble meanwhile has not', () => {
  const silent: AirState = { ...onAir, silentSince: now - 12_000 };
  const unseen: AirState = { ...onAir, unseenSince: now - 15_000 };
  const oneClick: OneClickState = { ...oneClickRunning, queueMs: 800 };
  const lasted = (change: Partial<HealthFacts>) => {
    const facts = { ...healthy, ...change };
    const verdict = drawVerdict(facts);
    return [verdict?.code, verdict && lastedMs(verdict, facts)];
  };
  expect([
    lasted({ air: { ...silent, unplayable: 'unusable' } }),
    lasted({ air: silent, region: 'jfk' }),
    lasted({ air: unseen, region: 'jfk' }),
    lasted({ air: silent, region: 'jfk', oneClick }),
    lasted({ air: unseen, region: 'jfk', oneClick }),
    lasted({ air: { ...lostFor, back: 'connected' } }),
    lasted({ air: { kind: 'connecting', since: now - 15_000, awaiting: 'playlist' }, region: 'jfk' }),
  ]).toEqual([
    ['nothing-plays', 12_000],
    ['region-stopped', 12_000],
    ['region-unseen', 15_000],
    ['upload-slow', 0],
    ['upload-slow', 0],
    ['nothing-arrives', 0],
    ['region-unseen', 0],
  ]);
});
