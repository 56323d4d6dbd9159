import { isKeyframe, type MediaUnit } from '../media/media-unit.ts';
import type { Clock } from '../ports.ts';

/**
 * Seconds that ffmpeg adds to each timestamp of an encode, so that the AAC encoder's priming isn't negative: otherwise ffmpeg
 * would shift all timestamps by an unknown amount.
 */
export const timestampOriginSeconds = 1;

/** The part of the encoded feed that a stamper needs. */
export interface CaptureTimes {
  readonly format: { fps: number };
  capturedAt: (frame: number) => number | undefined;
}

/**
 * Moves an encode's units to the time of its feed, and stamps each keyframe with when it was captured and when it was encoded.
 *
 * @param firstFrame the frame of the feed that the encode began with
 */
export function stampUnit(unit: MediaUnit, firstFrame: number, feed: CaptureTimes, clock: Pick<Clock, 'now'>): MediaUnit {
  const { fps } = feed.format;
  const offset = Math.round((firstFrame * unit.timescale) / fps);
  if (unit.type !== 'video') return { ...unit, dts: unit.dts + offset };
  const moved = { ...unit, dts: unit.dts + offset, pts: unit.pts + offset };
  if (!isKeyframe(unit)) return moved;
  const frame = firstFrame + Math.round((unit.pts / unit.timescale - timestampOriginSeconds) * fps);
  const capturedAtMs = feed.capturedAt(frame);
  if (capturedAtMs === undefined) return moved;
  const encodedAtMs = clock.now();
  // The wall clock may have been set back in between.
  const captured = { capturedAtMs: Math.min(capturedAtMs, encodedAtMs), encodedAtMs };
  const { config, data } = unit;
  const stamped = config.format.insertCaptureStamp?.(data, config, captured);
  return stamped === undefined ? moved : { ...moved, data: stamped, captured };
}
