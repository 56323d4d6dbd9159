import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { feedInRealTime } from './feed-in-real-time.ts';
import { hashPictures } from './ffmpeg.ts';
import { createLadderFeed, type LadderMedia } from './ladder-feed.ts';
import { startPlaybackStand } from './playback-stand.ts';
import { makeSource } from './synthetic-source.ts';

/** A broadcast's media: a source and the encoders' output, by rendition name. */
export interface LiveLadderMedia extends Pick<LadderMedia, 'missing' | 'left' | 'segmentSeconds'> {
  source: readonly FlvTag[];
  renditions: Readonly<Record<string, readonly FlvTag[]>>;
  /** How much of it is available from the start, in milliseconds. */
  headMs: number;
}

/** A source with a keyframe every second, and a ladder's output for it: `144p` and `108p`. */
export async function makeLadder(seconds: number) {
  const encode = (size: string, ...x264: readonly string[]) =>
    makeSource({ seconds, size, rate: '30', gopFrames: 30, x264: ['-bf', '2', ...x264] });
  const [source, of144, of108] = await Promise.all([
    encode('320x180'),
    encode('256x144', '-b:v', '200k'),
    encode('192x108', '-b:v', '100k'),
  ]);
  return { source, renditions: { '144p': of144, '108p': of108 } };
}

/**
 * A ladder on air: its first media is available, and the rest follows when somebody plays.
 *
 * For hls.js with low latency `headMs` must not be the end of a segment. The rest would complete that segment just as the player begins to
 * load its parts, and on a busy computer hls.js then freezes for good (docs/architecture.md).
 */
export async function startLiveLadder({ source, renditions, headMs, ...options }: LiveLadderMedia) {
  const stand = await startPlaybackStand({ renditionNames: Object.keys(renditions) });
  const feed = createLadderFeed(stand, { renditions: Object.values(renditions), ...options });
  const head = source.filter(({ timestampMs }) => timestampMs < headMs);
  for (const tag of head) feed.push(tag);
  const broadcast = async (to: typeof feed, playing: readonly string[]) => {
    await Promise.all(playing.map((rendition) => stand.mediaAsked(rendition)));
    await feedInRealTime(to, source.slice(head.length), headMs);
  };
  return {
    multivariantUrl: stand.multivariantUrl,
    mediaUrl: (rendition: string) => new URL(`${rendition}/index.m3u8`, stand.multivariantUrl).href,
    /** Feeds the rest in real time once media of each of these renditions has been requested; resolves when all is fed. */
    broadcastTo: (...playing: readonly string[]) => broadcast(feed, playing),
    /** As `broadcastTo`, and the broadcast is over then. */
    broadcastToTheEnd: (...playing: readonly string[]) => broadcast(stand.endingWith(feed), playing),
    [Symbol.asyncDispose]: () => stand[Symbol.asyncDispose](),
  };
}

/** The pictures that publishers have sent, at 30 per second, starting where a player began, and that start. */
export async function hashSentFrom(
  first: string | undefined,
  publishers: readonly (readonly FlvTag[])[],
): Promise<{ pictures: string[]; fromSeconds: number }> {
  const sent = (await Promise.all(publishers.map(hashPictures))).flat();
  const began = sent.indexOf(first ?? '');
  return { pictures: sent.slice(began), fromSeconds: began / 30 };
}
