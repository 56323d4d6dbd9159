/** A named text file. */
export interface TextFile {
  name: string;
  text: string;
}

/** 1 January 1980, ZIP's first day: the archive doesn't record when it was made. */
const dosDate = 0x21;
/** Names are UTF-8 (APPNOTE 6.3.10, §4.4.4, bit 11). */
const utf8Flag = 0x800;

/** A ZIP archive of one folder with its files, uncompressed (PKWARE APPNOTE.TXT 6.3.10). */
export function packZip(folder: string, files: readonly TextFile[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const entries = files.map(({ name, text }) => {
    const bytes = encoder.encode(text);
    return { path: encoder.encode(`${folder}/${name}`), bytes, crc: crc32(bytes) };
  });
  const locals = entries.map(({ path, bytes, crc }) => {
    const head = [...le32(0x04034b50), ...le16(20), ...common(path, bytes, crc)];
    return [...head, ...path, ...bytes];
  });
  const offsets = locals.map((_, index) => locals.slice(0, index).reduce((sum, local) => sum + local.length, 0));
  const directory = entries.flatMap(({ path, bytes, crc }, index) => {
    const head = [...le32(0x02014b50), ...le16(20), ...le16(20), ...common(path, bytes, crc)];
    // No comment, disk 0, no attributes.
    return [...head, ...le16(0), ...le16(0), ...le16(0), ...le32(0), ...le32(offsets[index] ?? 0), ...path];
  });
  const content = locals.flat();
  const counts = [...le16(entries.length), ...le16(entries.length)];
  const end = [
    ...le32(0x06054b50),
    ...le16(0),
    ...le16(0),
    ...counts,
    ...le32(directory.length),
    ...le32(content.length),
    ...le16(0),
  ];
  return Uint8Array.from([...content, ...directory, ...end]);
}

/** The fields shared by a file's header and its directory entry, up to the length of the extra field. */
function common(path: Uint8Array, bytes: Uint8Array, crc: number): number[] {
  const sizes = [...le32(bytes.length), ...le32(bytes.length)];
  return [
    ...le16(utf8Flag),
    ...le16(0),
    ...le16(0),
    ...le16(dosDate),
    ...le32(crc),
    ...sizes,
    ...le16(path.length),
    ...le16(0),
  ];
}

function le16(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff];
}

function le32(value: number): number[] {
  return [...le16(value & 0xffff), ...le16(value >>> 16)];
}

/** CRC-32 as ZIP computes it (APPNOTE §4.4.7). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
