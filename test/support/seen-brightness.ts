import { setTimeout as sleep } from 'node:timers/promises';
import { readPictures } from './ffmpeg.ts';
import { readPlaylist } from './read-playlist.ts';

/** Until a test gives up. */
const patienceMs = 60_000;

/**
 * Plays the newest segment of a live media playlist from its start, part by part, until its last picture has the requested brightness
 * (16 is black). Resolves with the time when that picture could be fetched, on `performance`'s clock.
 */
export async function untilSeen(mediaUrl: string, is: (brightness: number) => boolean): Promise<number> {
  const giveUpAt = performance.now() + patienceMs;
  const get = async (uri: string) => Buffer.from(await (await fetch(new URL(uri, mediaUrl))).arrayBuffer());
  let brightness: number | undefined;
  while (performance.now() < giveUpAt) {
    const { segments, open } = readPlaylist(await (await fetch(mediaUrl)).text());
    const newest = segments.at(-1);
    const parts = open.length > 0 ? open : (newest?.parts ?? []);
    const uris = [newest?.init, ...parts.map(({ uri }) => uri)].filter((uri) => uri !== undefined);
    const media = Buffer.concat(await Promise.all(uris.map(get)));
    const fetchedAt = performance.now();
    brightness = newest === undefined ? undefined : (await readPictures(media)).at(-1)?.brightness;
    if (brightness !== undefined && is(brightness)) return fetchedAt;
    await sleep(50);
  }
  throw new Error(`The newest picture is this bright: ${brightness}.`);
}
