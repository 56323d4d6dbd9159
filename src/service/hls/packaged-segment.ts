/** What plays in a segment. Codecs are RFC 6381 strings. */
export interface SegmentTracks {
  video?: {
    codec: string;
    /** Pixels as displayed: after cropping, with square pixels. */
    width: number;
    height: number;
    /** Only when the encoder promises a fixed rate. */
    fps?: number;
  };
  audio?: { codec: string; sampleRateHz: number; channels: number };
}

/** The `EXT-X-MAP` of segments: what a decoder is set up with. */
export interface InitSegment {
  /** A hash of the bytes: an encoder that comes back with the same parameters gets the same init segment. */
  id: string;
  bytes: Buffer;
  tracks: SegmentTracks;
}

/** Where a segment stands in its playlist. */
export interface SegmentPlace {
  /** Its media sequence number. */
  msn: number;
  discontinuity: boolean;
  /** Its discontinuity sequence number (EXT-X-DISCONTINUITY-SEQUENCE, rfc8216bis §6.2.1), its own discontinuity counted. */
  discontinuitySequence: number;
}

/** One segment as the packager makes it; its place in a playlist is the segment store's to give. */
export interface PackagedSegment {
  init: InitSegment;
  bytes: Buffer;
  durationSeconds: number;
  /** Wall clock of the segment's first sample, epoch milliseconds, not rounded. */
  programDateTimeMs: number;
  /** Timestamps or tracks do not continue those of the segment before; true of the first one a packager makes. */
  discontinuity: boolean;
  /** A player can start here: false only where a GOP was too long and had to be divided. */
  independent: boolean;
  /** Video frames in it, 0 without video. */
  videoFrames: number;
  /** Of the whole segment, boxes included. */
  bitrateBps: number;
}
