import { isSilence } from '../../shared/is-silence.ts';
import type { Verdict, VerdictCode } from '../../shared/model/verdict.ts';

/** The first bad verdict of these, else the first of any severity; undefined if none applies. */
export function pickWorst<Each extends Verdict>(verdicts: readonly (Each | undefined)[]): Each | undefined {
  const found = verdicts.filter((verdict) => verdict !== undefined);
  return found.find(({ severity }) => severity === 'bad') ?? found[0];
}

/**
 * The worst trouble for viewers, who miss the sound more than frames: silence comes before any trouble that would leave them the sound, and
 * is as bad. It hides that one for a short time only: a microphone is soon unmuted, and a meant silence accepted.
 */
export function pickWorstForViewers(troubles: readonly Verdict[]): Verdict | undefined {
  const worst = pickWorst(troubles);
  const silence = troubles.find(isSilence);
  if (worst === undefined || silence === undefined || !leavesSound.has(worst.code)) return worst;
  // Another bad trouble, further on, takes the sound as well.
  if (troubles.some(({ code, severity }) => severity === 'bad' && !leavesSound.has(code))) return worst;
  return worst.severity === 'bad' ? { ...silence, severity: 'bad' } : silence;
}

/** Troubles with the video alone, or with a monitor, whose owner may be the only viewer who has them. */
const leavesSound: ReadonlySet<VerdictCode> = new Set<VerdictCode>([
  'upload-dropped',
  'frames-missing',
  'keyframes-far',
  'profile-rare',
  'play-failed',
  'play-stalls',
  'play-drops',
  'play-behind',
]);
