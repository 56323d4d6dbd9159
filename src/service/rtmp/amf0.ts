import { RtmpProtocolError } from './protocol-error.ts';

/** Type markers (Action Message Format, AMF0 §2.1). */
const marker = {
  number: 0x00,
  boolean: 0x01,
  string: 0x02,
  object: 0x03,
  null: 0x05,
  undefined: 0x06,
  ecmaArray: 0x08,
  objectEnd: 0x09,
  strictArray: 0x0a,
  date: 0x0b,
  longString: 0x0c,
  unsupported: 0x0d,
  xmlDocument: 0x0f,
  typedObject: 0x10,
} as const;

/** An AMF0 value. Objects have no prototype; an ECMA array is a Map; a strict array is an array. */
export type Amf0Value =
  | number
  | boolean
  | string
  | null
  | undefined
  | Date
  | Amf0Value[]
  | Map<string, Amf0Value>
  | { [name: string]: Amf0Value };

/** Limits on what AMF0 values may cost the reader. */
export interface Amf0Bounds {
  /** How deep objects and arrays may be nested. */
  maxDepth: number;
  /** Total number of values, nested ones included: a value may take one byte and far more memory. */
  maxValues: number;
}

/**
 * Parses all values in the bytes.
 *
 * References are rejected: no publisher sends them, and following them would let a few bytes stand for many. Typed objects become
 * objects, XML documents strings.
 *
 * @throws {RtmpProtocolError} when the bytes are truncated, exceed a limit, or have an unsupported type
 */
export function parseAmf0(bytes: Buffer, bounds: Amf0Bounds): Amf0Value[] {
  const reader = new Amf0Reader(bytes, bounds);
  const values: Amf0Value[] = [];
  while (!reader.isAtEnd) values.push(reader.readValue(0));
  return values;
}

/**
 * The string at the start of the bytes and the offset after it; undefined if they start with something else.
 *
 * Reads no further, so a script message can be identified by its name alone.
 */
export function parseLeadingAmf0String(bytes: Buffer): { value: string; endsAt: number } | undefined {
  if (bytes[0] !== marker.string || bytes.length < 3) return undefined;
  const endsAt = 3 + bytes.readUInt16BE(1);
  return endsAt > bytes.length ? undefined : { value: bytes.toString('utf8', 3, endsAt), endsAt };
}

/** Formats the values as AMF0, one after the other. Strings over 65 535 bytes become long strings. */
export function formatAmf0(...values: Amf0Value[]): Buffer {
  return Buffer.concat(values.flatMap(formatValue));
}

class Amf0Reader {
  readonly #bytes: Buffer;
  readonly #bounds: Amf0Bounds;
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer, bounds: Amf0Bounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Reads one value, nested in `depth` objects or arrays. */
  readValue(depth: number): Amf0Value {
    this.#values += 1;
    this.#checkValues(this.#values);
    const type = this.#bytes[this.#take(1)];
    switch (type) {
      case marker.number:
        return this.#readDouble();
      case marker.boolean:
        return this.#bytes[this.#take(1)] !== 0;
      case marker.string:
        return this.#readText(this.#readUInt16());
      case marker.longString:
      case marker.xmlDocument:
        return this.#readText(this.#readUInt32());
      case marker.null:
        return null;
      case marker.undefined:
      case marker.unsupported:
        return undefined;
      case marker.date: {
        const date = new Date(this.#readDouble());
        // The time zone is reserved and unused (AMF0 §2.13).
        this.#take(2);
        return date;
      }
      case marker.typedObject:
        this.#readText(this.#readUInt16());
        return this.#readObject(depth);
      case marker.object:
        return this.#readObject(depth);
      case marker.ecmaArray:
        // The count is only a hint (AMF0 §2.10); the end marker ends the array.
        this.#take(4);
        return new Map(this.#readProperties(depth));
      case marker.strictArray:
        return this.#readStrictArray(depth);
      default:
        throw new RtmpProtocolError(`AMF0 type ${type} is not supported.`);
    }
  }

  #readObject(depth: number): { [name: string]: Amf0Value } {
    const object: { [name: string]: Amf0Value } = Object.create(null);
    for (const [name, value] of this.#readProperties(depth)) object[name] = value;
    return object;
  }

  *#readProperties(depth: number): Generator<[string, Amf0Value]> {
    this.#checkDepth(depth);
    for (;;) {
      const name = this.#readText(this.#readUInt16());
      if (name === '' && this.#bytes[this.#at] === marker.objectEnd) {
        this.#take(1);
        return;
      }
      yield [name, this.readValue(depth + 1)];
    }
  }

  #readStrictArray(depth: number): Amf0Value[] {
    this.#checkDepth(depth);
    const count = this.#readUInt32();
    // Checked first: `Array.from` would allocate the claimed length.
    this.#checkValues(this.#values + count);
    return Array.from({ length: count }, () => this.readValue(depth + 1));
  }

  #checkDepth(depth: number): void {
    const { maxDepth } = this.#bounds;
    if (depth >= maxDepth) throw new RtmpProtocolError(`AMF0 values are nested more than ${maxDepth} deep.`);
  }

  #checkValues(count: number): void {
    const { maxValues } = this.#bounds;
    if (count > maxValues) throw new RtmpProtocolError(`There are more than ${maxValues} AMF0 values in one message.`);
  }

  #readDouble(): number {
    return this.#bytes.readDoubleBE(this.#take(8));
  }

  #readUInt16(): number {
    return this.#bytes.readUInt16BE(this.#take(2));
  }

  #readUInt32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  #readText(sizeBytes: number): string {
    const start = this.#take(sizeBytes);
    return this.#bytes.toString('utf8', start, start + sizeBytes);
  }

  /** Skips `sizeBytes` and returns the offset where they start. */
  #take(sizeBytes: number): number {
    const start = this.#at;
    if (sizeBytes > this.#bytes.length - start) throw cutShort();
    this.#at += sizeBytes;
    return start;
  }
}

function cutShort(): RtmpProtocolError {
  return new RtmpProtocolError('An AMF0 value is cut short.');
}

function formatValue(value: Amf0Value): Buffer[] {
  if (value === null) return [Buffer.from([marker.null])];
  switch (typeof value) {
    case 'undefined':
      return [Buffer.from([marker.undefined])];
    case 'number':
      return [Buffer.from([marker.number]), formatDouble(value)];
    case 'boolean':
      return [Buffer.from([marker.boolean, value ? 1 : 0])];
    case 'string': {
      const text = Buffer.from(value);
      return text.length > 0xffff
        ? [Buffer.from([marker.longString]), formatUInt(text.length, 4), text]
        : [Buffer.from([marker.string]), formatUInt(text.length, 2), text];
    }
    default:
      return formatComplexValue(value);
  }
}

function formatComplexValue(value: Date | Amf0Value[] | Map<string, Amf0Value> | { [name: string]: Amf0Value }): Buffer[] {
  if (value instanceof Date) return [Buffer.from([marker.date]), formatDouble(value.getTime()), Buffer.alloc(2)];
  if (Array.isArray(value)) {
    return [Buffer.from([marker.strictArray]), formatUInt(value.length, 4), ...value.flatMap(formatValue)];
  }
  if (value instanceof Map) {
    return [Buffer.from([marker.ecmaArray]), formatUInt(value.size, 4), ...formatProperties([...value])];
  }
  return [Buffer.from([marker.object]), ...formatProperties(Object.entries(value))];
}

function formatProperties(properties: [string, Amf0Value][]): Buffer[] {
  const formatted = properties.flatMap(([name, value]) => {
    const text = Buffer.from(name);
    return [formatUInt(text.length, 2), text, ...formatValue(value)];
  });
  return [...formatted, Buffer.from([0, 0, marker.objectEnd])];
}

function formatDouble(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

function formatUInt(value: number, sizeBytes: 2 | 4): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.writeUIntBE(value, 0, sizeBytes);
  return bytes;
}
