import { compositionMs, decodeMs, type MediaUnit } from '../media/media-unit.ts';
import { formatAudioFrame, formatAudioHeader } from './audio-tag.ts';
import type { FlvTag } from './flv-tag.ts';
import { formatVideoFrame, formatVideoHeader } from './video-tag.ts';

/** A time as tags carry it: whole milliseconds, which wrap to the unsigned 32 bits of RTMP and FLV. */
export function formatTagTime(ms: number): number {
  return Math.max(Math.round(ms), 0) % 2 ** 32;
}

/** Formats a unit as a tag, moved by `shiftMs`. */
export function formatUnitTag(unit: MediaUnit, shiftMs = 0): FlvTag {
  const timestampMs = formatTagTime(decodeMs(unit) + shiftMs);
  switch (unit.type) {
    case 'config':
      return unit.config.track === 'video'
        ? { kind: 'video', timestampMs, body: formatVideoHeader(unit.config) }
        : { kind: 'audio', timestampMs, body: formatAudioHeader(unit.config) };
    case 'video': {
      const { config, keyframe, data } = unit;
      const compositionTimeMs = Math.round(compositionMs(unit));
      const body = formatVideoFrame({ format: config.format, keyframe, compositionTimeMs, data });
      return { kind: 'video', timestampMs, body };
    }
    case 'audio':
      return { kind: 'audio', timestampMs, body: formatAudioFrame(unit) };
  }
}
