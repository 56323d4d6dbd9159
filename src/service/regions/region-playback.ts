import { pause } from '../../shared/pause.ts';
import { readText } from '../lib/read-text.ts';
import type { Clock } from '../ports.ts';

/** How long an answer may take, and the largest that is read: a window of hours in short parts. */
const answerWithinMs = 5_000;
const maxBytes = 4 * 1024 * 1024;
/** A playlist that hasn't changed for this long has stopped, unless its target duration, twice over, is longer. */
export const stoppedAfterMs = 10_000;

/**
 * Whether viewers in another region can play the stream: its playlist is moving; it stopped at `sinceMs`, a time of
 * `Clock.monotonicMs`; or it can't be read since then, so that we don't know.
 */
export type RegionPlayback = { kind: 'moving' } | { kind: 'stopped' | 'unseen'; sinceMs: number };

/** A playlist; undefined if the server says that there is none, `unseen` if it gives no clear answer. */
type Reading = string | undefined | typeof unseen;
const unseen = Symbol('unseen');

export interface FollowPlaybackOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  signal: AbortSignal;
  onChange: (playback: RegionPlayback) => void;
  /** Called whenever there is something new to play. */
  onMove?: () => void;
  /** Whether something new is awaited: then the playlist is requested as often as while it doesn't move. */
  isAwaited?: () => boolean;
  /**
   * Don't request a media playlist from another origin than the multivariant one: the service that gave us the URL may not send
   * us anywhere.
   */
  staysAtOrigin?: boolean;
  /** How long to wait between requests while the playlist moves, and otherwise. */
  pausesMs?: { moving: number; otherwise: number };
}

/**
 * Follows whether viewers can play a stream of another region, until the signal aborts: the media playlist of its first rendition
 * exists, changes, and hasn't ended. If the first request already finds a playlist, it may be an earlier broadcast's: it counts
 * once it has changed.
 *
 * @param findUrl the URL of the multivariant playlist; undefined while it isn't known
 */
export async function followPlayback(findUrl: () => string | undefined, options: FollowPlaybackOptions): Promise<void> {
  const { clock, signal, onChange, onMove = () => {}, isAwaited = () => false, staysAtOrigin = false } = options;
  const { pausesMs = { moving: 5_000, otherwise: 1_000 } } = options;
  let wasAbsent = false;
  let kind: RegionPlayback['kind'] | 'none' = 'none';
  let last: { text: string; atMs: number } | undefined;
  let seenAtMs = 0;
  let patienceMs = stoppedAfterMs;
  while (!signal.aborted) {
    const askedAtMs = clock.monotonicMs();
    const reading = await readMediaPlaylist(findUrl(), staysAtOrigin, signal);
    if (signal.aborted) return;
    const nowMs = clock.monotonicMs();
    if (reading !== unseen) seenAtMs = askedAtMs;
    if (typeof reading === 'string' && isLive(reading) && reading !== last?.text) {
      const isFirst = last === undefined;
      last = { text: reading, atMs: nowMs };
      patienceMs = Math.max(stoppedAfterMs, 2_000 * Number(/^#EXT-X-TARGETDURATION:(\d+)/m.exec(reading)?.[1] ?? 0));
      if (!isFirst || wasAbsent) {
        const isNews = kind !== 'moving';
        kind = 'moving';
        onMove();
        if (isNews) onChange({ kind });
      }
    } else if (kind !== 'none' && last !== undefined) {
      const next = reading === unseen ? 'unseen' : 'stopped';
      const sinceMs = reading === unseen ? seenAtMs : last.atMs;
      if (kind !== next && nowMs - sinceMs >= patienceMs) {
        kind = next;
        onChange({ kind, sinceMs });
      }
    }
    if (reading !== unseen && last === undefined) wasAbsent = true;
    const pauseMs = kind === 'moving' ? pausesMs.moving : pausesMs.otherwise;
    for (let pausedMs = 0; pausedMs < pauseMs && (pausedMs === 0 || !isAwaited()); pausedMs += pausesMs.otherwise)
      await pause(pausesMs.otherwise, signal);
  }
}

/** Whether a playlist has a segment, and more will follow (EXTINF, EXT-X-ENDLIST: rfc8216bis §4.4.4.1, §4.4.3.4). */
function isLive(mediaPlaylist: string): boolean {
  return /^#EXTINF:/m.test(mediaPlaylist) && !/^#EXT-X-ENDLIST/m.test(mediaPlaylist);
}

/** Reads the media playlist: the first one that the playlist at this URL names, or else that playlist itself. */
async function readMediaPlaylist(url: string | undefined, staysAtOrigin: boolean, signal: AbortSignal): Promise<Reading> {
  if (url === undefined) return unseen;
  const reading = await readPlaylist(url, signal);
  if (typeof reading !== 'string') return reading;
  // The line after it is a URI (EXT-X-STREAM-INF: rfc8216bis §4.4.6.2).
  const uri = /^#EXT-X-STREAM-INF:.*\r?\n([^#\s]\S*)/m.exec(reading)?.[1];
  if (uri === undefined) return reading;
  const media = URL.parse(uri, url);
  if (media === null) return undefined;
  return staysAtOrigin && media.origin !== new URL(url).origin ? unseen : readPlaylist(media.href, signal);
}

async function readPlaylist(url: string, signal: AbortSignal): Promise<Reading> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    const answer = await fetch(url, { signal: limit, redirect: 'error', cache: 'no-store' });
    if (answer.ok) return (await readText(answer, maxBytes)) ?? unseen;
    await answer.body?.cancel();
    // With these, others may get another answer than we do. With any other status they get the same.
    return [401, 403, 407, 429].includes(answer.status) ? unseen : undefined;
  } catch {
    // It is unreachable, refuses, is too slow, or the signal aborted.
    return unseen;
  }
}
