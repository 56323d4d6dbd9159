import type { ReadSample } from '../../src/service/media/fmp4-reader.ts';
import { splitFragments } from './fmp4-reader.ts';
import { type ReadPlaylist, type ReadPlaylistSegment, readPlaylist } from './read-playlist.ts';
import { readSegment } from './read-segment.ts';

/** A segment and its contents. */
export interface FetchedSegment extends ReadPlaylistSegment {
  video: ReadSample[];
  audio: ReadSample[];
  /** Whether each of its parts starts with an IDR picture, or holds no picture in a segment without any. */
  independentParts: boolean[];
}

/** Segments between two discontinuities, and their bytes after the init segment, as a player joins them. */
export interface FetchedRun {
  segments: FetchedSegment[];
  bytes: Buffer;
}

export interface FetchedRendition {
  playlist: ReadPlaylist;
  runs: FetchedRun[];
}

const idrSlice = 5;

/** Whether one of a sample's NAL units, each with a four-byte length prefix, belongs to an IDR picture. */
function isIdr({ data }: Pick<ReadSample, 'data'>): boolean {
  for (let position = 0; position < data.length; position += 4 + data.readUInt32BE(position)) {
    if ((data.readUInt8(position + 4) & 0x1f) === idrSlice) return true;
  }
  return false;
}

/** Fetches a media playlist and all its segments. */
export async function fetchRendition(url: string): Promise<FetchedRendition> {
  const get = async (path: string) => {
    const response = await fetch(new URL(path, url));
    if (!response.ok) throw new Error(`${response.status} for ${path} of ${url}`);
    return Buffer.from(await response.arrayBuffer());
  };
  const playlist = readPlaylist((await get('index.m3u8')).toString());
  const runs: FetchedRun[] = [];
  for (const segment of playlist.segments) {
    if (segment.gap) continue;
    if (segment.discontinuity || runs.length === 0) runs.push({ segments: [], bytes: await get(segment.init ?? '') });
    const run = runs.at(-1) as FetchedRun;
    const bytes = await get(segment.uri);
    const tracks = readSegment(bytes);
    const video = tracks.get(1) ?? [];
    const independentParts = splitFragments(bytes).map((fragment) => {
      const [first] = readSegment(fragment).get(1) ?? [];
      return first === undefined ? video.length === 0 : first.sync && isIdr(first);
    });
    run.segments.push({ ...segment, video, audio: tracks.get(2) ?? [], independentParts });
    run.bytes = Buffer.concat([run.bytes, bytes]);
  }
  return { playlist, runs };
}
