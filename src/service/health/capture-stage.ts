import type { StageReport } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { pickWorst } from './pick-worst.ts';
import { findSoundTrouble } from './sound-verdict.ts';
import { deviceDriftVerdicts, sourceVerdicts } from './source-verdict.ts';

/** How our own source is captured: a part that is away is worse than trouble with the sound. */
export function captureStage(facts: HealthFacts): StageReport | undefined {
  if (facts.oneClick.kind !== 'running') return undefined;
  const away = pickWorst(sourceVerdicts(facts));
  if (away) return { stage: 'capture', code: 'part-away', severity: away.severity, part: away.away.part };
  const trouble = deviceDriftVerdicts(facts)[0]?.code ?? findSoundTrouble(facts, 'capture');
  return trouble === undefined
    ? { stage: 'capture', code: 'capturing', severity: 'good' }
    : { stage: 'capture', code: 'capturing-sound', severity: 'warn', trouble };
}
