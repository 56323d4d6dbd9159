/** A box's content: bytes, or boxes one after another. */
export type BoxContent = Buffer | readonly Buffer[];

/** An ISO BMFF box: size, four-character type, content (ISO/IEC 14496-12 §4.2). */
export function formatBox(type: string, ...content: readonly BoxContent[]): Buffer {
  const parts = content.flat();
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...parts]);
}

/** A box whose content begins with a version and 24 bits of flags. */
export function formatFullBox(type: string, version: number, flags: number, ...content: readonly BoxContent[]): Buffer {
  return formatBox(type, uint32(version * 2 ** 24 + flags), ...content);
}

/** One unsigned byte each. */
export function uint8(...values: readonly number[]): Buffer {
  return Buffer.from(values);
}

/** Unsigned 16-bit fields, big-endian. */
export function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value, index * 2);
  });
  return bytes;
}

/** Unsigned 32-bit fields, big-endian. */
export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value, index * 4);
  });
  return bytes;
}

/** Text without a length or terminator. */
export function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
