import { type Amf0Value, formatAmf0, parseAmf0 } from './amf0.ts';

/** `onMetaData` is one flat table of some twenty values, a few more where it lists a file's keyframes; the rest is nonsense. */
const bounds = { maxDepth: 4, maxValues: 4_096 };
const maxBytes = 64 * 1024;
const name = 'onMetaData';

/** What a publisher says of its stream before it sends it (Flash Video File Format 10.1, E.5): values by name. */
export type StreamMetadata = ReadonlyMap<string, Amf0Value>;

/** The metadata that the body of a script tag holds; undefined where it holds none, or cannot be read. */
export function parseMetadata(body: Buffer): StreamMetadata | undefined {
  if (body.length > maxBytes) return undefined;
  const [title, values] = readValues(body);
  if (title !== name || values === null || typeof values !== 'object' || values instanceof Date || Array.isArray(values))
    return undefined;
  // Encoders send the table as an object or as an ECMA array.
  return values instanceof Map ? values : new Map(Object.entries(values));
}

/** Metadata as the body of a script tag. */
export function formatMetadata(metadata: StreamMetadata): Buffer {
  return formatAmf0(name, new Map(metadata));
}

function readValues(body: Buffer): Amf0Value[] {
  try {
    return parseAmf0(body, bounds);
  } catch {
    return [];
  }
}
