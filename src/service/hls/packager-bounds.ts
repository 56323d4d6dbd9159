/** Bounds of what the packager holds and waits for, all in media time. Tests pass their own. */
export interface PackagerBounds {
  /** A keyframe this much short of the target still ends a segment: FLV rounds times to milliseconds. */
  cutToleranceMs: number;
  /** How far video runs on past a segment's first or last part before late audio is no longer waited for. */
  audioWaitMs: number;
  /** The same for the parts between: their sound may come with the next part. */
  partAudioWaitMs: number;
  /** The same for the very first part, where sound was announced: without it the first segment would have none. */
  firstAudioWaitMs: number;
  /** Sound that first comes later than this in a segment begins with the next. */
  audioLateMs: number;
  /** Sound alone for this long, with no sign of video, is sound alone. */
  audioOnlyAfterMs: number;
  /** Sound that was announced, and of which nothing comes for this much video, is filled with silence until it is back. */
  fillSoundAfterMs: number;
  /** A picture of which nothing comes for this much sound is held until a keyframe is back: at least, and at most. */
  holdPictureAfterMs: readonly [least: number, most: number];
  /** A held picture stays behind the sound by this: a keyframe that comes back may come after sound that is later. */
  heldPictureLagMs: number;
  /** A track silent for this long while the other goes on counts as gone until it is back. */
  trackLostMs: number;
  /** Audio further ahead of the video than this cannot be played with it, and is left out. */
  maxAudioLeadMs: number;
  /** A GOP that exceeds one of these is divided at a frame that is no keyframe. */
  maxSegmentMs: number;
  maxSegmentBytes: number;
  maxSegmentSamples: number;
  /** Forward jumps up to this are taken for pauses, which the wall clock shares. */
  maxPauseMs: number;
}

export const defaultPackagerBounds: PackagerBounds = {
  cutToleranceMs: 50,
  audioWaitMs: 500,
  partAudioWaitMs: 80,
  firstAudioWaitMs: 1_000,
  audioLateMs: 500,
  audioOnlyAfterMs: 1_000,
  fillSoundAfterMs: 1_000,
  holdPictureAfterMs: [2_500, 4_500],
  heldPictureLagMs: 300,
  trackLostMs: 5_000,
  maxAudioLeadMs: 10_000,
  maxSegmentMs: 30_000,
  maxSegmentBytes: 64 * 1024 * 1024,
  maxSegmentSamples: 32_768,
  maxPauseMs: 60_000,
};
