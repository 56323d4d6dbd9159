import type { Verdict, VerdictCode } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { silentAfterMs } from './sound-judge.ts';

/** How long the verdict has been true, in milliseconds, if that took time to notice; else 0. */
export function lastedMs({ code }: Verdict, { now, air }: Pick<HealthFacts, 'now' | 'air'>): number {
  if (code === 'silent') return silentAfterMs;
  if (air.kind !== 'on-air') return 0;
  if (code === 'region-unseen') return air.unseenSince === undefined ? 0 : now - air.unseenSince;
  if (!ofSilence.has(code)) return 0;
  return air.silentSince === undefined ? 0 : now - air.silentSince;
}

/** Verdicts that last as long as there is nothing new to play. */
const ofSilence: ReadonlySet<VerdictCode> = new Set<VerdictCode>([
  'nothing-arrives',
  'nothing-plays',
  'region-stopped',
  'service-stalled',
]);
