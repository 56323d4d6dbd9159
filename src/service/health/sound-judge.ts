import type { VerdictOf } from '../../shared/model/verdict.ts';
import { type SoundFrame, soundFrameMs } from './sound-frame.ts';

/** The verdicts on sound that arrives. */
export type SoundVerdict = VerdictOf<'silent' | 'inverted' | 'one-sided' | 'clipping' | 'loudness-off'>;

/** A trouble that can be heard. The sound doesn't tell which stage it comes from. */
export type SoundTrouble = SoundVerdict extends infer Each
  ? Each extends SoundVerdict
    ? Omit<Each, 'stage' | 'mayBeWithheld' | 'isLimited'>
    : never
  : never;

/** Quieter than this is no sound, in LUFS. The noise of a muted microphone is below it, and so is room noise at a normal gain. */
const silentBelowLufs = -50;
/** Normal pauses are shorter than this. */
export const silentAfterMs = 10_000;
/** Fewer seconds of sound on one side may be an effect, or a guitar. */
const sidedAfterMs = 10_000;
/** How much quieter the other side is if there is nothing on it: crosstalk and room sound are louder, even in old stereo recordings. */
const sidedDb = 40;
/** An inverted side has a phase of −1, or up to −0.65 after AAC at 64 kbit/s. The widest stereo has moments near 0. */
const invertedBelow = -0.5;
const invertedAfterMs = 10_000;
/** A clap or a click clips once; sound that is too loud does so again and again. */
const clippedFrames = 3;
const clippedWithinMs = 10_000;
/** This much sound is judged together: a shorter stretch may be a quiet scene or a loud one. */
const judgedMs = 60_000;
const offTargetLu = 3;
/** How often loudness is judged: it is much work, and changes slowly. */
const judgedEveryMs = 1_000;
/** Once off target, loudness is on target again when this close to it, so that it doesn't switch back and forth at the limit. */
const onTargetLu = 2.5;
/**
 * Speech and music vary more within a minute. Sound that varies less is a test tone, whose level says nothing about the show's.
 */
const steadyLu = 3;
/** Quieter parts, such as pauses in speech, don't count: the relative gate of ITU-R BS.1770-4 §5.1. */
const relativeGateLu = 10;

/** The state of judging one publisher's sound. Immutable; times are those that {@link stepSound} is given. */
export interface SoundState {
  /** Since when there is no sound. */
  silentSinceMs: number | undefined;
  /** How much sound, in milliseconds, came from one side only, and which side has none. */
  sided: { ms: number; without: 'left' | 'right' } | undefined;
  /** How much sound, in milliseconds, had one side inverted. */
  invertedMs: number;
  /** How much sound there was in all, in milliseconds. */
  heardMs: number;
  /** When sound clipped lately. */
  clippedAtMs: readonly number[];
  /** Momentary loudness of the last {@link judgedMs} of sound, oldest first. */
  loudness: readonly number[];
  /** The loudness of all of `loudness`, in LUFS, and its target, if that is too far off. */
  offTarget: { loudnessLufs: number; targetLufs: number } | undefined;
}

/** Before any audio was measured. */
export const noSoundYet: SoundState = {
  silentSinceMs: undefined,
  sided: undefined,
  invertedMs: 0,
  heardMs: 0,
  clippedAtMs: [],
  loudness: [],
  offTarget: undefined,
};

/**
 * Takes the next {@link soundFrameMs} of audio, measured at `nowMs`. Only sound counts: pauses neither end a trouble nor add to it.
 *
 * @param targetLufs how loud the broadcast should be
 */
export function stepSound(state: SoundState, frame: SoundFrame, nowMs: number, targetLufs: number): SoundState {
  const { momentaryLufs } = frame;
  if (momentaryLufs === undefined) return state;
  if (momentaryLufs < silentBelowLufs) return { ...state, silentSinceMs: state.silentSinceMs ?? nowMs };
  const loudness = [...state.loudness, momentaryLufs].slice(-judgedMs / soundFrameMs);
  const heardMs = state.heardMs + soundFrameMs;
  const without = findMissingSide(frame);
  const sides = {
    sided: without && { without, ms: (state.sided?.without === without ? state.sided.ms : 0) + soundFrameMs },
    invertedMs: frame.phase < invertedBelow ? state.invertedMs + soundFrameMs : 0,
  };
  return {
    silentSinceMs: undefined,
    // In a pause that a noise gate makes, the loudness is still that of the word before, but both sides are equal: skip it.
    ...(Math.max(...frame.truePeaksDbtp) < silentBelowLufs ? { sided: state.sided, invertedMs: state.invertedMs } : sides),
    clippedAtMs: [...listRecentClips(state, nowMs), ...(Math.max(...frame.truePeaksDbtp) > 0 ? [nowMs] : [])],
    heardMs,
    loudness,
    offTarget:
      heardMs % judgedEveryMs === 0
        ? findOffTarget(loudness, { targetLufs, wasOff: state.offTarget !== undefined })
        : state.offTarget,
  };
}

/** Another source is heard from now on: the loudness of the one before says nothing about it. */
export function forgetLoudness(state: SoundState): SoundState {
  return { ...state, loudness: [], offTarget: undefined };
}

/** Some sound before the next frame was not measured: silence counts from that frame on. */
export function resumeSound(state: SoundState): SoundState {
  return { ...state, silentSinceMs: undefined };
}

/** The troubles with the sound at `nowMs`, the worst first. */
export function judgeSound(state: SoundState, nowMs: number): SoundTrouble[] {
  const { silentSinceMs, sided, invertedMs, offTarget } = state;
  if (silentSinceMs !== undefined && nowMs - silentSinceMs >= silentAfterMs) return [{ code: 'silent', severity: 'warn' }];
  const troubles: (SoundTrouble | false | undefined)[] = [
    invertedMs >= invertedAfterMs && { code: 'inverted', severity: 'warn' },
    sided && sided.ms >= sidedAfterMs && { code: 'one-sided', severity: 'warn', without: sided.without },
    listRecentClips(state, nowMs).length >= clippedFrames && { code: 'clipping', severity: 'warn' },
    offTarget && { code: 'loudness-off', severity: 'warn', ...offTarget },
  ];
  return troubles.filter((trouble) => trouble !== undefined && trouble !== false);
}

function findMissingSide({ truePeaksDbtp }: SoundFrame): 'left' | 'right' | undefined {
  const [left, right, ...others] = truePeaksDbtp;
  if (left === undefined || right === undefined || others.length > 0 || Math.abs(left - right) < sidedDb) return undefined;
  return left < right ? 'left' : 'right';
}

/** Above 0 dBTP players clip, if the encoder hasn't clipped already. */
function listRecentClips({ clippedAtMs }: SoundState, nowMs: number): number[] {
  return clippedAtMs.filter((atMs) => nowMs - atMs < clippedWithinMs);
}

/** How loud this is, rounded to 0.1 LU, if it is long enough to tell and off target. */
function findOffTarget(
  loudness: readonly number[],
  { targetLufs, wasOff }: { targetLufs: number; wasOff: boolean },
): SoundState['offTarget'] {
  if (loudness.length < judgedMs / soundFrameMs) return undefined;
  if (Math.max(...loudness) - Math.min(...loudness) <= steadyLu) return undefined;
  const gate = average(loudness) - relativeGateLu;
  const loudnessLufs = Math.round(average(loudness.filter((momentary) => momentary > gate)) * 10) / 10;
  const isOff = Math.abs(loudnessLufs - targetLufs) > (wasOff ? onTargetLu : offTargetLu);
  return isOff ? { loudnessLufs, targetLufs } : undefined;
}

/** The loudness of all of these: the mean of their energies. */
function average(loudness: readonly number[]): number {
  return 10 * Math.log10(loudness.reduce((energy, lufs) => energy + 10 ** (lufs / 10), 0) / loudness.length);
}
