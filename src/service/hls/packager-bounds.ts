/** Bounds of what the packager holds and waits for, all in media time. Tests pass their own. */
export interface PackagerBounds {
  /** A keyframe this much before the target still ends a segment: RTMP rounds times to milliseconds. */
  cutToleranceMs: number;
  /**
   * How far video continues past a segment's first or last part before the part stops waiting for late audio; the last part of
   * the first segment waits only as long as parts in between. Also how far a rendition's audio continues past the planned end of
   * a segment with video before a segment without video begins.
   */
  audioWaitMs: number;
  /** The same for the parts in between: their audio may come with the next part. */
  partAudioWaitMs: number;
  /** The same for the first part of a timeline, if audio was announced: without it the first segment would have none. */
  firstAudioWaitMs: number;
  /** If the first audio comes later than this in a segment, audio begins with the next segment. */
  audioLateMs: number;
  /** After this much audio with no sign of video the stream counts as audio-only. */
  audioOnlyAfterMs: number;
  /** If announced audio does not come for this much video, silence fills in until it is back. */
  fillAudioAfterMs: number;
  /** After this much audio without video, the picture is held until a keyframe comes: the least and the most. */
  holdPictureAfterMs: readonly [least: number, most: number];
  /** How far a held picture stays behind the audio: when video comes back, its keyframe may arrive after later audio. */
  heldPictureLagMs: number;
  /** A track without media for this long, while the other continues, counts as gone until it returns. */
  trackLostMs: number;
  /** Audio further ahead of the video than this cannot be played with it, and is dropped. */
  maxAudioLeadMs: number;
  /** The same for audio that is behind: players at the live edge would wait for it again and again. */
  maxAudioLagMs: number;
  /** A GOP that exceeds one of these is divided at a frame that is not a keyframe. */
  maxSegmentMs: number;
  maxSegmentBytes: number;
  maxSegmentSamples: number;
  /** Forward jumps up to this count as pauses: the wall clock moves as far. */
  maxPauseMs: number;
}

/** The bounds that the service packages with. */
export const defaultPackagerBounds: PackagerBounds = {
  cutToleranceMs: 50,
  audioWaitMs: 500,
  partAudioWaitMs: 80,
  firstAudioWaitMs: 1_000,
  audioLateMs: 500,
  audioOnlyAfterMs: 1_000,
  fillAudioAfterMs: 1_000,
  holdPictureAfterMs: [2_500, 4_500],
  heldPictureLagMs: 300,
  trackLostMs: 5_000,
  maxAudioLeadMs: 10_000,
  maxAudioLagMs: 5_000,
  maxSegmentMs: 30_000,
  maxSegmentBytes: 64 * 1024 * 1024,
  maxSegmentSamples: 32_768,
  maxPauseMs: 60_000,
};
