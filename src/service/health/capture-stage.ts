import type { StageReport } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { findSoundTrouble } from './sound-verdict.ts';
import { deviceDriftVerdict, sourceVerdict } from './source-verdict.ts';

/** How our own source is captured: a part that is away is worse than trouble with the sound. */
export function captureStage(facts: HealthFacts): StageReport | undefined {
  if (facts.oneClick.kind !== 'running') return undefined;
  const away = sourceVerdict(facts);
  if (away) return { stage: 'capture', code: 'part-away', severity: away.severity, part: away.away.part };
  const trouble = deviceDriftVerdict(facts)?.code ?? findSoundTrouble(facts, 'capture');
  return trouble === undefined
    ? { stage: 'capture', code: 'capturing', severity: 'good' }
    : { stage: 'capture', code: 'capturing-sound', severity: 'warn', trouble };
}
