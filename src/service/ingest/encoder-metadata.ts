import { parseMetadata, type StreamMetadata } from '../rtmp/stream-metadata.ts';

/** What an encoder says of itself and of what it is going to send, which nothing else says. */
export interface EncoderMetadata {
  encoder: string | undefined;
  fps: number | undefined;
  /** What it aims at, sound and picture together. */
  bitrateBps: number | undefined;
  /** Whether it is going to send video. */
  announcesVideo: boolean;
}

const noMetadata: StreamMetadata = new Map();

/** Reads the body of a script tag; one that cannot be read says nothing. */
export function parseEncoderMetadata(body: Buffer): EncoderMetadata {
  const metadata = parseMetadata(body) ?? noMetadata;
  const encoder = metadata.get('encoder');
  const fps = metadata.get('framerate');
  const videoCodec = metadata.get('videocodecid');
  return {
    encoder: typeof encoder === 'string' && encoder !== '' ? encoder.slice(0, 100) : undefined,
    fps: typeof fps === 'number' && fps > 0 && fps <= 1000 ? fps : undefined,
    bitrateBps: readBitrate(metadata),
    // A number of Flash Video or a FourCC, as a number or as text.
    announcesVideo: (typeof videoCodec === 'number' && videoCodec > 0) || (typeof videoCodec === 'string' && videoCodec !== ''),
  };
}

/** `videodatarate` and `audiodatarate` are kbit/s (Flash Video File Format 10.1, E.5); 0 is not known. Without the picture's it says little. */
function readBitrate(metadata: StreamMetadata): number | undefined {
  const [video, audio] = [metadata.get('videodatarate'), metadata.get('audiodatarate')];
  if (typeof video !== 'number' || !(video > 0 && video < 1_000_000)) return undefined;
  return (video + (typeof audio === 'number' && audio > 0 && audio < 10_000 ? audio : 0)) * 1000;
}
