import type { PlaylistTargets } from './playlist-targets.ts';

/** The tracks that play in a segment. Codecs are RFC 6381 strings. */
export interface SegmentTracks {
  video?: {
    codec: string;
    /** Pixels as displayed: after cropping, with square pixels. */
    width: number;
    height: number;
    /** `TransferCharacteristics`, if stated. */
    transfer?: number;
    /** See `VideoConfig`. */
    hasRareProfile?: true;
    /** Only when the encoder promises a fixed rate. */
    fps?: number;
  };
  audio?: { codec: string; sampleRateHz: number; channels: number };
}

/** The `EXT-X-MAP` of segments: the data that sets up a decoder. */
export interface InitSegment {
  /** A hash of the bytes: an encoder that comes back with the same parameters gets the same init segment. */
  id: string;
  bytes: Buffer;
  tracks: SegmentTracks;
}

/** A segment's place in its playlist. */
export interface SegmentPlace {
  /** Its media sequence number. */
  msn: number;
  /** EXT-X-DISCONTINUITY comes before it. */
  discontinuity: boolean;
  /** Its discontinuity sequence number (EXT-X-DISCONTINUITY-SEQUENCE, rfc8216bis §6.2.1), its own discontinuity counted. */
  discontinuitySequence: number;
  /** How much later its media is than its publisher's timestamps say, in whole milliseconds; negative when earlier. */
  shiftMs: number;
}

/** The facts about a segment that are known once its first part exists. */
export interface SegmentStart {
  init: InitSegment;
  /** Its start on its publisher's timeline, in milliseconds. */
  startMs: number;
  /** Wall clock of the segment's first sample, epoch milliseconds, not rounded. */
  programDateTimeMs: number;
  /** The playlist's promise, from its first segment on. */
  targets: PlaylistTargets;
  /** A rendition's segment has the place of its source's. */
  place: SegmentPlace;
}

/** One part of a segment: a `moof` and its `mdat` (EXT-X-PART, rfc8216bis §4.4.4.9). */
export interface PackagedPart {
  /** Its store reuses this memory later. To keep the bytes for longer than a call, hold them (`MediaBlocks.hold`). */
  bytes: Buffer;
  durationSeconds: number;
  /** It starts with a frame that needs nothing from before, or its segment has audio only. */
  independent: boolean;
  /** When its first video frame came from the publisher, by `Clock.monotonicMs`; absent in renditions and for audio only. */
  arrivedMs?: number;
  /** It has no bytes: the rendition was not made here, and players must not ask for it (`GAP=YES`). */
  gap?: boolean;
}

/** One segment as the packager makes it: its parts one after another. */
export interface PackagedSegment extends SegmentStart {
  parts: readonly PackagedPart[];
  /** Bytes of the whole segment, boxes included. */
  sizeBytes: number;
  durationSeconds: number;
  /** Video frames in it, 0 without video. */
  videoFrames: number;
  /** Bytes of those frames, without boxes. */
  videoBytes: number;
  /** Frames per second, by the typical distance between two frames; 0 if there are too few to tell. */
  typicalFps: number;
  /** Part of the segment never came: players are to skip it (EXT-X-GAP), and it does not count as transcoded. */
  gap?: boolean;
}

/** A segment of the source that a rendition does not have at all (EXT-X-GAP, rfc8216bis §4.4.4.7). */
export interface SegmentGap {
  place: SegmentPlace;
  startMs: number;
  programDateTimeMs: number;
  durationSeconds: number;
}

/**
 * Takes the segments that a packager makes, as a segment store does. Every sink gets the same segments, in the same places;
 * nothing is read back. Only one of several may be a store: it alone gives back the memory of the parts, at any time after the
 * call. A sink must not throw: that would end the publisher's connection or the ladder's ffmpeg.
 */
export interface SegmentSink {
  /** A segment begins; its first part follows at once. */
  begin(start: SegmentStart): void;
  addPart(part: PackagedPart): void;
  /** The begun segment will not be whole. `expectsPart`: one more part of it will come, else none. */
  breakOff(expectsPart: boolean): void;
  /** The begun segment is whole: its parts have all been added. */
  complete(segment: PackagedSegment): void;
  /** Begins a segment that the rendition does not have: its parts are gaps, and {@link appendGap} completes it. */
  beginGap(gap: Omit<SegmentGap, 'durationSeconds'>): void;
  appendGap(gap: SegmentGap): void;
}
