import type Hls from 'hls.js';

/** Playback rate while catching up; anything faster is audible. */
const catchUpRate = 1.08;
/** A player starts to catch up when farther behind its target than this, in seconds. */
const farSeconds = 0.15;
/** It has caught up when this close to its target, in seconds. */
const nearSeconds = 0.05;

/** Position of a player that follows the live edge. */
export interface EdgeDistance {
  /** How far it is behind its target, where the playlist asks viewers to stay (PART-HOLD-BACK, rfc8216bis §4.4.3.8). */
  behindSeconds: number;
  /** Media buffered ahead of it. */
  aheadSeconds: number;
  /** The longest part (EXT-X-PART-INF, rfc8216bis §4.4.3.7). */
  partTargetSeconds: number;
}

/** The next playback rate for a player at `rate`. It catches up while it is behind and can wait for the next part. */
export function choosePlaybackRate(rate: number, { behindSeconds, aheadSeconds, partTargetSeconds }: EdgeDistance): number {
  const isCatchingUp = rate > 1;
  return behindSeconds > (isCatchingUp ? nearSeconds : farSeconds) && aheadSeconds > partTargetSeconds ? catchUpRate : 1;
}

/**
 * Keeps a low-latency player at its target behind the live edge while `isFollowing`. Returns a function that stops it.
 *
 * hls.js picks its target when the playlist arrives, so it ends up late by the time to its first frame, or by a stall. Its own
 * catch-up (`maxLiveSyncPlaybackRate`, which must stay 1) waits for more than a second of buffer, which never happens with a
 * PART-HOLD-BACK of 0.4 s. Playlists without parts are left to hls.js.
 */
export function holdLiveEdge(
  hls: Pick<Hls, 'latestLevelDetails' | 'liveSyncPosition'>,
  video: Pick<HTMLVideoElement, 'addEventListener' | 'removeEventListener' | 'buffered' | 'currentTime' | 'playbackRate'>,
  isFollowing: () => boolean,
): () => void {
  const look = () => {
    const partTargetSeconds = hls.latestLevelDetails?.partTarget ?? 0;
    const target = hls.liveSyncPosition;
    if (target === null || partTargetSeconds === 0) return;
    const behindSeconds = isFollowing() ? target - video.currentTime : 0;
    const rate = choosePlaybackRate(video.playbackRate, {
      behindSeconds,
      aheadSeconds: measureAhead(video),
      partTargetSeconds,
    });
    if (video.playbackRate !== rate) video.playbackRate = rate;
  };
  video.addEventListener('timeupdate', look);
  return () => video.removeEventListener('timeupdate', look);
}

/** How far the buffer reaches beyond the playhead, across holes, in seconds. */
export function measureAhead({ buffered, currentTime }: Pick<HTMLMediaElement, 'buffered' | 'currentTime'>): number {
  return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}
