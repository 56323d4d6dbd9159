import { type Amf0Value, parseAmf0 } from '../rtmp/amf0.ts';

/** `onMetaData` is one flat table of some twenty values, a few more where it lists a file's keyframes; the rest is nonsense. */
const bounds = { maxDepth: 4, maxValues: 4_096 };
const maxBytes = 64 * 1024;

/** What `onMetaData` says that nothing else does. */
export interface EncoderMetadata {
  encoder: string | undefined;
  fps: number | undefined;
  /** What it aims at, sound and picture together. */
  bitrateBps: number | undefined;
  /** Whether it is going to send video. */
  announcesVideo: boolean;
}

/** Reads the body of a script tag; one that cannot be read says nothing. */
export function parseEncoderMetadata(body: Buffer): EncoderMetadata {
  const [, properties] = readValues(body);
  const encoder = readProperty(properties, 'encoder');
  const fps = readProperty(properties, 'framerate');
  const videoCodec = readProperty(properties, 'videocodecid');
  return {
    encoder: typeof encoder === 'string' && encoder !== '' ? encoder.slice(0, 100) : undefined,
    fps: typeof fps === 'number' && fps > 0 && fps <= 1000 ? fps : undefined,
    bitrateBps: readBitrate(properties),
    // A number of Flash Video or a FourCC, as a number or as text.
    announcesVideo: (typeof videoCodec === 'number' && videoCodec > 0) || (typeof videoCodec === 'string' && videoCodec !== ''),
  };
}

/** `videodatarate` and `audiodatarate` are kbit/s (Flash Video File Format 10.1, E.5); 0 is not known. Without the picture's it says little. */
function readBitrate(properties: Amf0Value): number | undefined {
  const [video, audio] = ['videodatarate', 'audiodatarate'].map((name) => readProperty(properties, name));
  if (typeof video !== 'number' || !(video > 0 && video < 1_000_000)) return undefined;
  return (video + (typeof audio === 'number' && audio > 0 && audio < 10_000 ? audio : 0)) * 1000;
}

/** Encoders send the table as an object or as an ECMA array. */
function readProperty(properties: Amf0Value, name: string): Amf0Value {
  if (properties instanceof Map) return properties.get(name);
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties) || properties instanceof Date)
    return undefined;
  return properties[name];
}

function readValues(body: Buffer): Amf0Value[] {
  if (body.length > maxBytes) return [];
  try {
    return parseAmf0(body, bounds);
  } catch {
    return [];
  }
}
