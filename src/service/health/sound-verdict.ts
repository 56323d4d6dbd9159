import { isArriving } from '../../shared/is-arriving.ts';
import type { SoundStage, VerdictOf } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import type { SoundTrouble, SoundVerdict } from './sound-judge.ts';

/** The verdict on the sound, apart from its loudness. Only while audio arrives: silence stands in for it otherwise. */
export function soundVerdict(facts: HealthFacts): SoundVerdict | undefined {
  const { sound = [], meters } = facts;
  if (meters?.away === 'sound') return undefined;
  const isMeant = ({ code }: SoundTrouble) => code === 'silent' && isSilenceMeant(facts);
  const trouble = sound.find((each) => each.code !== 'loudness-off' && !isMeant(each));
  return trouble && name(trouble, facts);
}

/** Whether the sound is too loud or too quiet. One of the least troubles: nobody misses anything. */
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

/** The worst trouble with the sound that comes from this stage, while sound arrives. */
export function findSoundTrouble(facts: HealthFacts, stage: 'capture'): SoundVerdict['code'] | undefined;
export function findSoundTrouble(facts: HealthFacts, stage: 'encoder'): SoundVerdict['code'] | 'sound-drifts' | undefined;
export function findSoundTrouble(facts: HealthFacts, stage: SoundStage): SoundVerdict['code'] | 'sound-drifts' | undefined {
  if (!isArriving(facts.air)) return undefined;
  const of = (verdict: SoundVerdict | undefined) => (verdict?.stage === stage ? verdict.code : undefined);
  const drift = stage === 'encoder' ? driftVerdict(facts)?.code : undefined;
  return of(soundVerdict(facts)) ?? drift ?? of(loudnessVerdict(facts));
}

/** Whether the silence is intended: the source was chosen without sound, or the owner has said so. */
function isSilenceMeant(facts: HealthFacts): boolean {
  const { oneClick, isSilenceMeant: isAccepted } = facts;
  if (isAccepted) return true;
  return oneClick.kind === 'running' && oneClick.source.sound.inputs.length === 0 && !isUnchosen(facts);
}

/** Whether our own source has no sound because nobody chose one. */
function isUnchosen({ oneClick }: HealthFacts): boolean {
  return oneClick.kind === 'running' && oneClick.source.sound.isUnchosen === true;
}

/** The verdict on a trouble, with the stage it comes from: one click encodes its capture unchanged. */
function name(trouble: SoundTrouble, facts: HealthFacts): SoundVerdict {
  const stage: SoundStage = facts.oneClick.kind === 'running' ? 'capture' : 'encoder';
  switch (trouble.code) {
    case 'silent':
      return {
        ...trouble,
        stage,
        mayBeWithheld: mayBeWithheld(facts),
        ...(isUnchosen(facts) && { isUnchosen: true }),
      };
    case 'clipping':
      return { ...trouble, stage, isLimited: isLimited(facts) };
    default:
      return { ...trouble, stage };
  }
}

/** Whether the limiter of our own mix is on. */
function isLimited({ oneClick }: HealthFacts): boolean {
  return oneClick.kind === 'running' && oneClick.source.sound.limits;
}

/** Whether viewers should hear what the computer plays, alone or mixed with other sound, and a page captures it. */
function mayBeWithheld({ oneClick }: HealthFacts): boolean {
  if (oneClick.kind !== 'running') return false;
  return oneClick.source.sound.inputs.some(({ of, isMuted }) => !isMuted && of.kind === 'page' && of.of === 'system');
}
