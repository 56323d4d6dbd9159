import { isCredibleFps } from '../media/credible-fps.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';
import { parseMetadata } from '../rtmp/script-data.ts';

/** A publisher's announcements about itself and its media that nothing else tells. */
export interface PublisherMetadata {
  /** What it calls itself. */
  statedSoftware: string | undefined;
  fps: number | undefined;
  /** Its target bitrate, video and audio together. */
  bitrateBps: number | undefined;
  /** Whether it will send video. */
  announcesVideo: boolean;
}

const noMetadata: StreamMetadata = new Map();

/** Parses the body of a script tag; if it cannot be read, nothing is known. */
export function parsePublisherMetadata(body: Buffer): PublisherMetadata {
  const metadata = parseMetadata(body) ?? noMetadata;
  const software = metadata.get('encoder');
  const fps = metadata.get('framerate');
  const videoCodec = metadata.get('videocodecid');
  return {
    statedSoftware: typeof software === 'string' && software !== '' ? software.slice(0, 100) : undefined,
    fps: typeof fps === 'number' && isCredibleFps(fps) ? fps : undefined,
    bitrateBps: readBitrate(metadata, typeof software === 'string' && software.startsWith('Lavf') ? 1024 : 1000),
    // Either a Flash Video codec id or a FourCC, as a number or as text.
    announcesVideo: (typeof videoCodec === 'number' && videoCodec > 0) || (typeof videoCodec === 'string' && videoCodec !== ''),
  };
}

/**
 * `videodatarate` and `audiodatarate` are kbit/s (Flash Video File Format 10.1, E.5), of 1,024 bit from ffmpeg's muxer; 0 means
 * unknown. The audio rate alone is useless.
 */
function readBitrate(metadata: StreamMetadata, kilobit: number): number | undefined {
  const [video, audio] = [metadata.get('videodatarate'), metadata.get('audiodatarate')];
  if (typeof video !== 'number' || !(video > 0 && video < 1_000_000)) return undefined;
  return (video + (typeof audio === 'number' && audio > 0 && audio < 10_000 ? audio : 0)) * kilobit;
}
