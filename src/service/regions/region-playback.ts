import { pause } from '../../shared/pause.ts';
import { readText } from '../lib/read-text.ts';
import type { Clock } from '../ports.ts';

/** How long an answer may take, and the largest that is read: a window of hours in short parts. */
const answerWithinMs = 5_000;
const maxBytes = 4 * 1024 * 1024;
/** A playlist that hasn't changed for this long has stopped, unless its target duration, twice over, is longer. */
export const stoppedAfterMs = 10_000;

/**
 * What viewers can play of a stream of another region: its broadcast, or, since a time of `Clock.monotonicMs`, nothing new, or something
 * unknown here because its playlist can't be read.
 */
export type RegionPlayback = { kind: 'moving' } | { kind: 'stopped' | 'unseen'; sinceMs: number };

/** A playlist; undefined if the server says that there is none, `unseen` if it says nothing or not that. */
type Reading = string | undefined | typeof unseen;
const unseen = Symbol('unseen');

export interface FollowPlaybackOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  signal: AbortSignal;
  onChange: (playback: RegionPlayback) => void;
  /** Called each time that there is something new to play. */
  onMove?: () => void;
  /** Whether something new is awaited: then it is asked for as often as while nothing moves. */
  isAwaited?: () => boolean;
  /** A media playlist of another origin than the multivariant one isn't asked for: who gave us the URL may not send us anywhere. */
  staysAtOrigin?: boolean;
  /** How long to wait before asking again while it moves, and otherwise. */
  pausesMs?: { moving: number; otherwise: number };
}

/**
 * Follows whether viewers can play a stream of another region, until the signal aborts: the media playlist of its first rendition is
 * there, changes, and isn't that of a broadcast that has ended. One that was there before it was asked for may be an earlier broadcast's:
 * it counts once it has changed.
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

/** It has a segment, and more will follow (EXTINF, EXT-X-ENDLIST: rfc8216bis §4.4.4.1, §4.4.3.4). */
function isLive(mediaPlaylist: string): boolean {
  return /^#EXTINF:/m.test(mediaPlaylist) && !/^#EXT-X-ENDLIST/m.test(mediaPlaylist);
}

/** The media playlist that the URL leads to. */
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
    // What others get, who may ask, isn't known then. Else they get the same.
    return [401, 403, 407, 429].includes(answer.status) ? unseen : undefined;
  } catch {
    // Not reachable, refused, too slow or aborted.
    return unseen;
  }
}
