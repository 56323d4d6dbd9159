import { pause } from '../../shared/pause.ts';
import { readText } from '../lib/read-text.ts';
import type { Clock } from '../ports.ts';

/** How long an answer may take, and the largest that is read: a window of hours in short parts. */
const answerWithinMs = 5_000;
const maxBytes = 4 * 1024 * 1024;
/** A playlist that hasn't changed for this long has stopped, unless its target duration, twice over, is longer. */
export const stoppedAfterMs = 10_000;

/** What viewers can play of a stream of another region: its broadcast, or nothing new since a time of `Clock.monotonicMs`. */
export type RegionPlayback = { kind: 'moving' } | { kind: 'stopped'; sinceMs: number };

export interface FollowPlaybackOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  signal: AbortSignal;
  onChange: (playback: RegionPlayback) => void;
  /** How long to wait before asking again while it moves, and otherwise. */
  pausesMs?: { moving: number; otherwise: number };
}

/**
 * Follows whether viewers can play a stream of another region, until the signal aborts: the media playlist of its first rendition is
 * there, changes, and isn't that of a broadcast that has ended.
 *
 * @param playlistUrl of the multivariant playlist
 */
export async function followPlayback(playlistUrl: string, options: FollowPlaybackOptions): Promise<void> {
  const { clock, signal, onChange, pausesMs = { moving: 5_000, otherwise: 1_000 } } = options;
  let kind: RegionPlayback['kind'] | 'none' = 'none';
  let last: { text: string; atMs: number } | undefined;
  let patienceMs = stoppedAfterMs;
  while (!signal.aborted) {
    const text = await readMediaPlaylist(playlistUrl, signal);
    if (signal.aborted) return;
    const nowMs = clock.monotonicMs();
    if (text !== undefined && isLive(text) && text !== last?.text) {
      last = { text, atMs: nowMs };
      patienceMs = Math.max(stoppedAfterMs, 2_000 * Number(/^#EXT-X-TARGETDURATION:(\d+)/m.exec(text)?.[1] ?? 0));
      const isNews = kind !== 'moving';
      kind = 'moving';
      if (isNews) onChange({ kind });
    } else if (kind === 'moving' && last !== undefined && nowMs - last.atMs >= patienceMs) {
      kind = 'stopped';
      onChange({ kind, sinceMs: last.atMs });
    }
    await pause(kind === 'moving' ? pausesMs.moving : pausesMs.otherwise, signal);
  }
}

/** It has a segment, and more will follow (EXTINF, EXT-X-ENDLIST: rfc8216bis §4.4.4.1, §4.4.3.4). */
function isLive(mediaPlaylist: string): boolean {
  return /^#EXTINF:/m.test(mediaPlaylist) && !/^#EXT-X-ENDLIST/m.test(mediaPlaylist);
}

/** The media playlist that the URL leads to; undefined if it isn't there. */
async function readMediaPlaylist(url: string, signal: AbortSignal): Promise<string | undefined> {
  const text = await readPlaylist(url, signal);
  // The line after it is a URI (EXT-X-STREAM-INF: rfc8216bis §4.4.6.2).
  const uri = /^#EXT-X-STREAM-INF:.*\r?\n([^#\s]\S*)/m.exec(text ?? '')?.[1];
  if (uri === undefined) return text;
  const media = URL.parse(uri, url);
  return media === null ? undefined : readPlaylist(media.href, signal);
}

async function readPlaylist(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    const answer = await fetch(url, { signal: limit, redirect: 'error', cache: 'no-store' });
    if (answer.ok) return await readText(answer, maxBytes);
    await answer.body?.cancel();
  } catch {
    // Not reachable, refused, too slow or aborted: it isn't there now.
  }
  return undefined;
}
