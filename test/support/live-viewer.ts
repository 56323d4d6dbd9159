import { setTimeout as sleep } from 'node:timers/promises';
import { readPlaylist } from './read-playlist.ts';

/** A low-latency viewer of a stream's source or of a rendition; it reconnects whenever there is something to play. */
export interface LiveViewer extends AsyncDisposable {
  /** When it last received new media, on `performance`'s clock. */
  readonly newMediaAt: number | undefined;
  /** Violations of the standard that it has seen. */
  readonly faults: readonly string[];
}

/** @param onPlaylist called with each version of the playlist that it gets */
export function startLiveViewer(mediaUrl: string, onPlaylist: (text: string) => void = () => {}): LiveViewer {
  const ending = new AbortController();
  const { signal } = ending;
  const faults: string[] = [];
  let newMediaAt: number | undefined;
  let newest = -1;
  let lastPart = '';

  /** One reload; returns the query of the next one. */
  const reload = async (query: string): Promise<string> => {
    const response = await fetch(mediaUrl + query, { signal });
    const text = await response.text();
    if (!response.ok) {
      await sleep(200, undefined, { signal });
      return '';
    }
    onPlaylist(text);
    const { segments, ended, hint } = readPlaylist(text);
    for (const { msn, seconds } of segments) if (!(seconds > 0)) faults.push(`Segment ${msn} lasts ${seconds} s.`);
    const msn = segments.at(-1)?.msn ?? -1;
    if (msn < newest) faults.push(`The playlist's newest segment fell from ${newest} to ${msn}.`);
    newest = Math.max(newest, msn);
    if (ended) {
      await sleep(200, undefined, { signal });
      return '';
    }
    const part = [...text.matchAll(/^#EXT-X-PART:.*URI="([^"]+)"(?!.*GAP)/gm)].at(-1)?.[1];
    if (part !== undefined && part !== lastPart) {
      lastPart = part;
      const media = await fetch(new URL(part, mediaUrl), { signal });
      if (media.ok && (await media.arrayBuffer()).byteLength > 0) newMediaAt = performance.now();
    }
    const [, hintedMsn, hintedPart] = /^(\d+)-(\d+)\.m4s$/.exec(hint ?? '') ?? [];
    return hintedMsn === undefined ? `?_HLS_msn=${msn + 1}` : `?_HLS_msn=${hintedMsn}&_HLS_part=${hintedPart}`;
  };

  const watching = (async () => {
    let query = '';
    while (!signal.aborted) {
      query = await reload(query).catch(async () => {
        await sleep(200, undefined, { signal }).catch(() => {});
        return '';
      });
    }
  })();
  return {
    get newMediaAt() {
      return newMediaAt;
    },
    faults,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await watching;
    },
  };
}
