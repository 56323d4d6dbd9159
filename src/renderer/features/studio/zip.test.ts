import { expect, test } from 'vitest';
import { packZip } from './zip.ts';

const files = [
  { name: 'basic.ini', text: '[General]\nName=Tallylight · Früh\n' },
  { name: 'check.txt', text: '123456789' },
];

/** The entries in the archive's directory, with the data each one points to. */
function unpack(archive: Uint8Array): { name: string; text: string; crc: number }[] {
  const view = new DataView(archive.buffer);
  const end = archive.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  const decoder = new TextDecoder();
  const found = [];
  let at = view.getUint32(end + 16, true);
  for (let entry = 0; entry < view.getUint16(end + 10, true); entry += 1) {
    expect(view.getUint32(at, true)).toBe(0x02014b50);
    const [size, nameLength, local] = [
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
      view.getUint32(at + 42, true),
    ];
    expect(view.getUint32(local, true)).toBe(0x04034b50);
    const bytes = archive.subarray(local + 30 + nameLength, local + 30 + nameLength + size);
    const name = decoder.decode(archive.subarray(at + 46, at + 46 + nameLength));
    found.push({ name, text: decoder.decode(bytes), crc: view.getUint32(at + 16, true) });
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return found;
}

test('an archive contains a folder with its files', () => {
  const unpacked = unpack(packZip('Tallylight Früh', files));
  expect(unpacked.map(({ name, text }) => ({ name, text }))).toEqual(
    files.map(({ name, text }) => ({ name: `Tallylight Früh/${name}`, text })),
  );
  // The check value of CRC-32 (ISO-HDLC) for these nine digits.
  expect(unpacked[1]?.crc).toBe(0xcbf43926);
});
