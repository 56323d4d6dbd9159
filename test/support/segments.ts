import type { SegmentTracks } from '../../src/service/hls/packaged-segment.ts';
import type { SegmentFolder } from '../../src/service/hls/segment-archive.ts';
import type { UnplacedSegment } from './append-segment.ts';

const tracks: SegmentTracks = {
  video: { codec: 'avc1.64001f', width: 1280, height: 720 },
  audio: { codec: 'mp4a.40.2', sampleRateHz: 48_000, channels: 2 },
};

/**
 * A packaged segment of 2 s with 60 frames, 1000 bytes in one part, and the tracks of `init`;
 * `given` overrides these.
 */
export function packagedSegment({ bytes = Buffer.alloc(1000), ...changes }: SegmentChanges = {}): UnplacedSegment {
  const { durationSeconds = 2 } = changes;
  const { parts = [{ bytes, durationSeconds, independent: true }] } = changes;
  return {
    init: { id: 'a1', bytes: Buffer.from('init a1'), tracks },
    parts,
    sizeBytes: bytes.length,
    startMs: 0,
    durationSeconds,
    programDateTimeMs: Date.UTC(2030, 0, 1),
    discontinuity: false,
    targets: {
      durationSeconds: Math.max(Math.round(durationSeconds), 1),
      partMs: Math.max(...parts.map((part) => part.durationSeconds)) * 1000,
    },
    videoFrames: 60,
    videoBytes: bytes.length,
    typicalFps: 60 / durationSeconds,
    ...changes,
  };
}

type SegmentChanges = Partial<UnplacedSegment> & { bytes?: Buffer };

/** Takes segments as a folder on disk does, and keeps nothing. */
export const forgetfulFolder: SegmentFolder = {
  onShortage: () => {},
  write: async (msn) => `/${msn}.m4s`,
  remove: async () => {},
  close: async () => {},
};
