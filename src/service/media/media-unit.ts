import type { CaptureStamp } from './capture-stamp.ts';
import type { AudioConfig, VideoConfig } from './track-config.ts';

/** The two tracks that a broadcast may have. */
export type TrackKind = 'video' | 'audio';

/** When a unit is decoded: `dts` counts ticks of `timescale` per second, and never wraps. */
interface UnitTime {
  timescale: number;
  dts: number;
}

/** A track is announced, or its parameters change: the track's units that follow are coded with `config`. */
export interface ConfigUnit extends UnitTime {
  type: 'config';
  config: VideoConfig | AudioConfig;
}

/** One access unit of a picture: a frame, as the sample of an MP4 track has it. */
export interface VideoUnit extends UnitTime {
  type: 'video';
  config: VideoConfig;
  /** When it is shown, in ticks of `timescale`. */
  pts: number;
  /** The encoder says that decoding can begin here. */
  keyframe: boolean;
  /** Nothing from before is needed for what follows, as it is for keyframes of open GOPs. */
  independent: boolean;
  data: Buffer;
  /** What the encoder says of when it captured this frame. It may be a lie. */
  captured?: CaptureStamp;
}

/** One frame of sound: what a decoder takes at once. */
export interface AudioUnit extends UnitTime {
  type: 'audio';
  config: AudioConfig;
  data: Buffer;
}

/**
 * What media is between the doors of the service: RTMP and ffmpeg's pipes make units, and everything behind them reads units.
 * `data` belongs to whoever reads it: nobody writes to it.
 */
export type MediaUnit = ConfigUnit | VideoUnit | AudioUnit;

/**
 * A unit in its place on a timeline of its source: `dts` and `pts` are milliseconds that never go back by more than a little.
 * Where they would, another timeline begins, with the next number.
 */
export type PlacedUnit = MediaUnit & { timeline: number; timescale: 1000 };

/** Ticks per second of a {@link PlacedUnit}. */
export const placedTimescale = 1000 as const;

/** The track of a unit. */
export function trackOf(unit: MediaUnit): TrackKind {
  return unit.type === 'config' ? unit.config.track : unit.type;
}

/** When a unit is decoded, in milliseconds; a fraction where the timescale is finer. */
export function decodeMs({ dts, timescale }: UnitTime): number {
  return (dts * 1000) / timescale;
}

/** How much later than it is decoded a picture is shown, in milliseconds; may be negative. */
export function compositionMs({ dts, pts, timescale }: VideoUnit): number {
  return ((pts - dts) * 1000) / timescale;
}

/** How long a frame of sound lasts, in milliseconds. */
export function soundMs({ config, data }: Pick<AudioUnit, 'config' | 'data'>): number {
  return (config.format.measureFrame(data, config) * 1000) / config.timescale;
}

/** How many bytes of media a unit carries. */
export function sizeOf(unit: MediaUnit): number {
  return unit.type === 'config' ? unit.config.record.length : unit.data.length;
}

/** A unit from which a decoder can begin. */
export function isKeyframe(unit: MediaUnit): unit is VideoUnit & { keyframe: true } {
  return unit.type === 'video' && unit.keyframe;
}
