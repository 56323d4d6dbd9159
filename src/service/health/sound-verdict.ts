import type { SoundStage, VerdictOf } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import type { SoundTrouble, SoundVerdict } from './sound-judge.ts';

/** What is wrong with the sound, apart from its loudness. Only while audio arrives: what stands in for it is silence. */
export function soundVerdict(facts: HealthFacts): SoundVerdict | undefined {
  const { sound = [], meters } = facts;
  const trouble = meters?.away === 'sound' ? undefined : sound.find(({ code }) => code !== 'loudness-off');
  return trouble && name(trouble, facts);
}

/** Whether the sound is too loud or too quiet. The least of all troubles: nobody misses anything. */
export function loudnessVerdict(facts: HealthFacts): SoundVerdict | undefined {
  const trouble = facts.sound?.find(({ code }) => code === 'loudness-off');
  return trouble && name(trouble, facts);
}

/** Whether the encoder's sound and picture drift apart. */
export function driftVerdict({ driftMs, oneClick }: HealthFacts): VerdictOf<'sound-drifts'> | undefined {
  return driftMs === undefined
    ? undefined
    : { code: 'sound-drifts', severity: 'warn', driftMs, isOwn: oneClick.kind === 'running' };
}

/** A trouble, and where it comes from: one click encodes what it captures as it is. */
function name(trouble: SoundTrouble, facts: HealthFacts): SoundVerdict {
  const stage: SoundStage = facts.oneClick.kind === 'running' ? 'capture' : 'encoder';
  return trouble.code === 'silent' ? { ...trouble, stage, mayBeWithheld: mayBeWithheld(facts) } : { ...trouble, stage };
}

/** Whether what the computer plays is all that viewers should hear, or a part of it, and a page captures it. */
function mayBeWithheld({ oneClick }: HealthFacts): boolean {
  if (oneClick.kind !== 'running') return false;
  return oneClick.source.sound.inputs.some(({ of, isMuted }) => !isMuted && of.kind === 'page' && of.of === 'system');
}
