import type Hls from 'hls.js';

/** How fast a player catches up: faster is heard. */
const catchUpRate = 1.08;
/** Farther behind its place than this, in seconds, a player begins to catch up. */
const farSeconds = 0.15;
/** As near to its place as this, in seconds, it has caught up. */
const nearSeconds = 0.05;

/** Where a player that follows the live edge is. */
export interface EdgeDistance {
  /** How far it is behind its place, which is the hold-back behind the live edge. */
  behindSeconds: number;
  /** How much media is there ahead of it. */
  aheadSeconds: number;
  /** The longest part (EXT-X-PART-INF, rfc8216bis §4.4.3.7). */
  partTargetSeconds: number;
}

/** The playback rate for a player at `rate`: it catches up while it is behind, and while the next part can be awaited. */
export function choosePlaybackRate(rate: number, { behindSeconds, aheadSeconds, partTargetSeconds }: EdgeDistance): number {
  const isCatchingUp = rate > 1;
  return behindSeconds > (isCatchingUp ? nearSeconds : farSeconds) && aheadSeconds > partTargetSeconds ? catchUpRate : 1;
}

/**
 * Keeps a low-latency player at its place behind the live edge while `isFollowing`, and answers how to stop that.
 *
 * hls.js finds its place when the playlist comes and is behind it by the time it takes to show a first picture, or by a stall.
 * Its own catching up (`maxLiveSyncPlaybackRate`, which is to stay 1 here) waits for more than a second in the buffer, and so
 * ends that far from a PART-HOLD-BACK of 0.6 s. Playlists without parts are left to it.
 */
export function holdLiveEdge(hls: Hls, video: HTMLVideoElement, isFollowing: () => boolean): () => void {
  const look = () => {
    const partTargetSeconds = hls.latestLevelDetails?.partTarget ?? 0;
    const place = hls.liveSyncPosition;
    if (place === null || partTargetSeconds === 0) return;
    const behindSeconds = isFollowing() ? place - video.currentTime : 0;
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

/** How far what is buffered reaches beyond the playhead, over holes too, in seconds. */
export function measureAhead({ buffered, currentTime }: Pick<HTMLMediaElement, 'buffered' | 'currentTime'>): number {
  return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}
