import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { CaptureStamp } from './capture-stamp.ts';
import type { AudioConfig, VideoConfig } from './track-config.ts';

/** When a unit is decoded: `dts` counts `timescale` ticks per second, is at least 0 and never wraps. */
interface UnitTime {
  timescale: number;
  dts: number;
}

/** Announces a track, or new parameters: the track's following units are coded with `config`. */
export interface ConfigUnit extends UnitTime {
  type: 'config';
  config: VideoConfig | AudioConfig;
}

/** One access unit of video: a frame, in the form of an MP4 sample. */
export interface VideoUnit extends UnitTime {
  type: 'video';
  config: VideoConfig;
  /** When it is shown, in ticks of `timescale`; at most {@link maxCompositionTimeMs} before or after its `dts`. */
  pts: number;
  /** The encoder marked it as a point where decoding can start. */
  keyframe: boolean;
  /** No later frame depends on anything before it; false for keyframes of open GOPs. */
  independent: boolean;
  data: Buffer;
  /** When the encoder claims to have captured this frame; not trusted. */
  captured?: CaptureStamp;
}

/** One audio frame: the unit that a decoder takes at once. */
export interface AudioUnit extends UnitTime {
  type: 'audio';
  config: AudioConfig;
  data: Buffer;
  /** The frame is silence in place of audio that did not come. */
  standsIn?: true;
}

/**
 * The form of media between the doors of the service: RTMP and ffmpeg's pipes make units, and everything behind them reads units.
 * `data` is shared by all readers: never write to it.
 *
 * A door hands out a unit after the configuration it is coded with, once its format has found nothing wrong with it (`inspect`,
 * `measureFrame`). It leaves out units that break this promise: nothing behind it checks again.
 */
export type MediaUnit = ConfigUnit | VideoUnit | AudioUnit;

/**
 * A unit placed on a timeline of its source: `dts` and `pts` are milliseconds that never jump back, with fractions if its publisher
 * counts finer. A jump starts a new timeline with the next number.
 */
export type PlacedUnit = MediaUnit & { timeline: number; timescale: 1000 };

/** Longest credible composition time. FLV, as ffmpeg gets its media, can't carry one beyond 2.3 hours. */
export const maxCompositionTimeMs = 10_000;

/** Ticks per second of a {@link PlacedUnit}. */
export const placedTimescale = 1000 as const;

/** The track of a unit. */
export function trackOf(unit: MediaUnit): TrackKind {
  return unit.type === 'config' ? unit.config.track : unit.type;
}

/** When a unit is decoded, in milliseconds; fractional if the timescale is finer. */
export function decodeMs({ dts, timescale }: UnitTime): number {
  return (dts * 1000) / timescale;
}

/** How much later than its decode time a frame is shown, in milliseconds; may be negative. */
export function compositionMs({ dts, pts, timescale }: VideoUnit): number {
  return ((pts - dts) * 1000) / timescale;
}

/** The duration of an audio frame, in milliseconds. */
export function audioMs({ config, data }: Pick<AudioUnit, 'config' | 'data'>): number {
  return (config.format.measureFrame(data, config) * 1000) / config.timescale;
}

/** The size of a unit's media in bytes. */
export function sizeOf(unit: MediaUnit): number {
  return unit.type === 'config' ? unit.config.record.length : unit.data.length;
}

/** Whether a decoder can start at this unit. */
export function isKeyframe(unit: MediaUnit): unit is VideoUnit & { keyframe: true } {
  return unit.type === 'video' && unit.keyframe;
}
