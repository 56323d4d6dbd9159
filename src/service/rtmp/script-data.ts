import type { StreamMetadata } from '../media/stream-metadata.ts';
import { type Amf0Value, formatAmf0, parseAmf0, parseLeadingAmf0String } from './amf0.ts';

/** `onMetaData` is one flat table of about twenty values, more if it lists a file's keyframes. Anything larger is nonsense. */
const bounds = { maxDepth: 4, maxValues: 4_096 };
const maxBytes = 64 * 1024;
const name = 'onMetaData';

/**
 * The script tag body in a publisher's script message; undefined if there is none.
 *
 * `@setDataFrame` precedes metadata to be kept for later viewers; some encoders leave its `@` out. `@clearDataFrame` withdraws it.
 */
export function unwrapDataFrame(payload: Buffer): Buffer | undefined {
  const name = parseLeadingAmf0String(payload);
  if (name === undefined || name.value === '@clearDataFrame') return undefined;
  const isFrame = name.value === '@setDataFrame' || name.value === 'setDataFrame';
  const body = isFrame ? payload.subarray(name.endsAt) : payload;
  return body.length > 0 ? body : undefined;
}

/** Parses the metadata in a script tag body; undefined if there is none or it cannot be read. Tables within it are left out. */
export function parseMetadata(body: Buffer): StreamMetadata | undefined {
  const values = parseMetadataValues(body);
  if (values === undefined) return undefined;
  return new Map([...values].flatMap(([key, value]) => (isPlain(value) ? [[key, value] as const] : [])));
}

/** All values of the metadata in a script tag body, as {@link parseMetadata}. */
export function parseMetadataValues(body: Buffer): ReadonlyMap<string, Amf0Value> | undefined {
  if (body.length > maxBytes) return undefined;
  const [title, values] = readValues(body);
  if (title !== name || values === null || typeof values !== 'object' || values instanceof Date || Array.isArray(values))
    return undefined;
  // Encoders send the table as an object or as an ECMA array.
  return values instanceof Map ? values : new Map(Object.entries(values));
}

/** Whether the body of a script tag is metadata, even if that cannot be read. */
export function isMetadata(body: Buffer): boolean {
  return parseLeadingAmf0String(body)?.value === name;
}

/** Formats metadata as the body of a script tag. */
export function formatMetadata(metadata: StreamMetadata): Buffer {
  return formatAmf0(name, new Map(metadata));
}

function isPlain(value: Amf0Value): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function readValues(body: Buffer): Amf0Value[] {
  try {
    return parseAmf0(body, bounds);
  } catch {
    return [];
  }
}
