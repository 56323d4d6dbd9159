import { type Amf0Value, parseAmf0 } from '../rtmp/amf0.ts';

/** `onMetaData` is one flat table; deeper is nonsense. */
const maxDepth = 4;

/** What `onMetaData` says that nothing else does. */
export interface EncoderMetadata {
  encoder: string | undefined;
  fps: number | undefined;
}

/** Reads the body of a script tag; one that cannot be read says nothing. */
export function parseEncoderMetadata(body: Buffer): EncoderMetadata {
  const [, properties] = readValues(body);
  const encoder = readProperty(properties, 'encoder');
  const fps = readProperty(properties, 'framerate');
  return {
    encoder: typeof encoder === 'string' && encoder !== '' ? encoder.slice(0, 100) : undefined,
    fps: typeof fps === 'number' && fps > 0 && fps <= 1000 ? fps : undefined,
  };
}

/** Encoders send the table as an object or as an ECMA array. */
function readProperty(properties: Amf0Value, name: string): Amf0Value {
  if (properties instanceof Map) return properties.get(name);
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties) || properties instanceof Date)
    return undefined;
  return properties[name];
}

function readValues(body: Buffer): Amf0Value[] {
  try {
    return parseAmf0(body, maxDepth);
  } catch {
    return [];
  }
}
