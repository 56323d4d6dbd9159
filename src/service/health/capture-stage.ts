import type { StageReport, VerdictOf } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { pickWorst } from './pick-worst.ts';
import { findSoundTrouble } from './sound-verdict.ts';
import { deviceDriftVerdicts, endedVerdicts, sourceVerdicts } from './source-verdict.ts';

/** The capture of our own source: a part that is away is worse than trouble with the sound, unless it has ended as planned. */
export function captureStage(facts: HealthFacts): StageReport | undefined {
  if (facts.oneClick.kind !== 'running') return undefined;
  const away = pickWorst(sourceVerdicts(facts));
  if (away) return withoutPart(away);
  const trouble = deviceDriftVerdicts(facts)[0]?.code ?? findSoundTrouble(facts, 'capture');
  if (trouble !== undefined) return { stage: 'capture', code: 'capturing-sound', severity: 'warn', trouble };
  const [ended] = endedVerdicts(facts);
  return ended ? withoutPart(ended) : { stage: 'capture', code: 'capturing', severity: 'good' };
}

function withoutPart({ severity, away: { part } }: VerdictOf<'source-away'>): StageReport {
  return { stage: 'capture', code: 'part-away', severity, part };
}
