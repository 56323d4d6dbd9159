import type { Fragment, default as Hls, Part } from 'hls.js';

/** Keyframes remembered: more than fit into the buffer of one player. */
const maxKeyframes = 64;
/** A buffer holds no more than this much media at 8 Mbit/s. Beyond it, the picture stops until the next keyframe. */
const mostSeconds = 120;
/** A player may place media a little later than its playlist says. */
const marginSeconds = 1;
/** Less media than this isn't worth a removal. */
const stepSeconds = 1;

/**
 * Finds how much media a player must keep behind the playhead: from the keyframe of the current picture on.
 *
 * Browsers remove media up to the next keyframe (Media Source Extensions, *coded frame removal*). If there is none, because an encoder
 * has stopped making them, they remove everything, with the picture that is playing.
 */
export class BackBuffer {
  readonly #leastSeconds: number;
  /** The positions of keyframes on the timeline of the video element, newest last. */
  readonly #keyframesAt: number[] = [];

  /** @param leastSeconds what the player keeps in any case */
  constructor(leastSeconds: number) {
    this.#leastSeconds = leastSeconds;
  }

  /** Notes buffered media of this segment: all of it, which probably begins with a keyframe, or one part. */
  note(segment: Pick<Fragment, 'start'>, part?: Pick<Part, 'start' | 'independent'> | null): void {
    if (part?.independent === false) return;
    this.#keyframesAt.push((part ?? segment).start);
    if (this.#keyframesAt.length > maxKeyframes) this.#keyframesAt.shift();
  }

  /** How much to keep behind a playhead at this second, in seconds: {@link mostSeconds} at most. */
  findSeconds(playheadSeconds: number): number {
    const keyframeAt = Math.max(-1, ...this.#keyframesAt.filter((seconds) => seconds <= playheadSeconds));
    const sinceSeconds = keyframeAt < 0 ? 0 : playheadSeconds - keyframeAt + marginSeconds;
    return Math.max(this.#leastSeconds, Math.min(sinceSeconds, mostSeconds));
  }
}

/**
 * Removes played media from a player's buffer, except for at least the last `leastSeconds` and the last segment, right after media was
 * buffered and while nothing is being loaded.
 *
 * hls.js itself would do this whenever the picture reaches another segment (its `backBufferLength`, which must be infinite). If a part
 * arrives during the removal, as can happen on a busy computer, hls.js 1.7 forgets which parts of that segment it has. It may then load
 * nothing until they have left the playlist: the picture stalls for two or three seconds.
 */
export function trimBackBuffer(
  hls: Pick<Hls, 'on' | 'trigger' | 'inFlightFragments' | 'latestLevelDetails'>,
  video: Pick<HTMLVideoElement, 'buffered' | 'currentTime'>,
  leastSeconds: number,
): void {
  // This file is also loaded by pages that have hls.js as a global: it imports nothing but types.
  const { Events } = hls.constructor as typeof Hls;
  const backBuffer = new BackBuffer(leastSeconds);
  hls.on(Events.FRAG_LOADED, (_event, { frag, part }) => backBuffer.note(frag, part));
  hls.on(Events.FRAG_BUFFERED, () => {
    const { buffered, currentTime } = video;
    if (buffered.length === 0) return;
    const segmentSeconds = hls.latestLevelDetails?.levelTargetDuration ?? 0;
    const endOffset = currentTime - Math.max(backBuffer.findSeconds(currentTime), segmentSeconds);
    const dueSeconds = endOffset - buffered.start(0);
    // On a slow connection a part is always being loaded. Right after one was buffered, the next hardly ever arrives during the removal.
    const isOverdue = dueSeconds > leastSeconds;
    if (dueSeconds < stepSeconds || (hls.inFlightFragments.main.state !== 'IDLE' && !isOverdue)) return;
    hls.trigger(Events.BUFFER_FLUSHING, { startOffset: 0, endOffset, type: null });
  });
}
