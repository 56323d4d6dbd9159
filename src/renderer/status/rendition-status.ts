import { formatBitrate, formatKilobits } from '../../shared/format-count.ts';
import { isolateName } from '../../shared/isolate-name.ts';
import type { AirState, Meters, RenditionView } from '../../shared/model/live.ts';
import { bitrateBps, type Profile } from '../../shared/model/profile.ts';
import { withUnit } from '../../shared/with-unit.ts';
import { formatDecimal, unknownValue } from '../format/quantity.ts';

/** A rendition's state as shown: icon, word and explanation. */
export interface RenditionStatus {
  kind: 'good' | 'waiting' | 'warn' | 'bad';
  word: string;
  /** Why it is missing, if it is. */
  sentence?: string;
}

const statuses: Readonly<Record<RenditionView['state'], RenditionStatus>> = {
  running: { kind: 'good', word: 'Running' },
  waiting: { kind: 'waiting', word: 'Waiting', sentence: "Its next segment hasn't arrived yet" },
  shed: { kind: 'warn', word: 'Paused', sentence: "The computer can't keep up right now" },
  'left-out': { kind: 'waiting', word: 'Turned off', sentence: 'You can turn it back on under Health' },
  resting: { kind: 'bad', word: 'Retrying', sentence: "ffmpeg keeps failing. It's tried again within minutes." },
  'given-up': { kind: 'bad', word: 'Failed', sentence: "It can't be encoded. “What happened” says why." },
};

const unheard: RenditionStatus = { kind: 'warn', word: 'No contact', sentence: 'Its state is unknown right now' };

/** A rendition's state, and the reason. `isUnheard`: its service doesn't answer, so its last report may be out of date. */
export function describeRendition(state: RenditionView['state'], air: AirState, isUnheard: boolean): RenditionStatus {
  if (isUnheard) return unheard;
  // The service may call a rendition running for a while after its source has stopped; without a source, none is tried again.
  const needsSource = state === 'running' || state === 'waiting' || state === 'resting';
  return (needsSource ? describeInterruption(air) : undefined) ?? statuses[state];
}

/** The source's state; it is waiting while nothing new arrives. */
export function describeSourceState(air: AirState, isUnheard: boolean): RenditionStatus {
  return describeRendition('running', air, isUnheard);
}

/** Why there is nothing new to watch; undefined if there is. */
function describeInterruption(air: AirState): RenditionStatus | undefined {
  const waiting = (sentence: string): RenditionStatus => ({ kind: 'waiting', word: 'Waiting', sentence });
  if (air.kind !== 'on-air' && air.kind !== 'reconnecting') return undefined;
  if (air.unplayable !== undefined) return waiting("Incoming media can't be played");
  if (air.kind === 'on-air') return air.silentSince === undefined ? undefined : waiting("The encoder isn't sending");
  if (air.back === undefined) return waiting('No media arrives');
  return waiting(air.back === 'sending' ? 'The picture follows in a moment' : "The encoder isn't sending");
}

/** The measured bitrate against the profile's: `2 940 of 3 000 kbit/s`. Unmeasured is a dash. */
export function formatRate(measuredBps: number | undefined, askedBps?: number): string {
  const measured = measuredBps === undefined ? unknownValue : formatKilobits(measuredBps);
  return askedBps === undefined ? withUnit(measured, 'kbit/s') : `${measured} of ${formatBitrate(askedBps)}`;
}

/** A rendition's bitrate, frame rate and keyframe interval; with the profile's value where it differs. */
export function describeMeasured({ asked, bitrateBps: measuredBps, fps, keyframeIntervalSeconds }: RenditionView): string {
  const rate = formatRate(measuredBps, bitrateBps(asked.bitrate));
  const frames = fps === undefined ? unknownValue : formatDecimal(fps, 1);
  const askedFrames = asked.fps === 0 || fps === undefined || frames === String(asked.fps) ? '' : ` of ${asked.fps}`;
  const keyframes = keyframeIntervalSeconds?.toFixed(1) ?? unknownValue;
  return `${rate} · ${frames}${withUnit(askedFrames, 'fps')} · keyframes ${withUnit(keyframes, 's')}`;
}

/** The frame size: measured, else the profile's. */
export function formatPictureSize({ asked, width, height }: RenditionView): string {
  return `${width ?? asked.width} × ${height ?? asked.height}`;
}

/** The frame size of the media that arrives; undefined until it is known. */
export function formatSentSize(meters: Meters | undefined): string | undefined {
  const { width, height } = meters ?? {};
  return width === undefined || height === undefined ? undefined : `${width} × ${height}`;
}

/** The names of a stream's renditions in a row, or that it has none. */
export function listRenditionNames(profiles: readonly Pick<Profile, 'name'>[], separator: string): string {
  return profiles.length === 0 ? 'Source only' : profiles.map(({ name }) => isolateName(name)).join(separator);
}

/** A whole ladder in a few words: `3 running`, `2 running · 1 paused`. */
export function summarizeLadder(renditions: readonly RenditionView[], air: AirState, isUnheard: boolean): string {
  if (isUnheard && renditions.length > 0) return unheard.word.toLowerCase();
  const words = renditions.map(({ state }) => describeRendition(state, air, isUnheard).word);
  return Object.values(statuses)
    .map(({ word }) => ({ word, count: words.filter((shown) => shown === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word.toLowerCase()}`)
    .join(' · ');
}
