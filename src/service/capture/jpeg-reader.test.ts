import { expect, test } from 'vitest';
import { JpegReader } from './jpeg-reader.ts';

const jpeg = (...body: number[]) => Buffer.from([0xff, 0xd8, ...body, 0xff, 0xd9]);

test('JPEGs are separated, however they arrive', () => {
  const [first, second] = [jpeg(1, 0xff, 0x00, 2), jpeg(3)];
  const both = Buffer.concat([first, second]);
  expect(new JpegReader().push(both)).toEqual([first, second]);
  const byBytes = new JpegReader();
  expect([...both].flatMap((byte) => byByte(byBytes, byte))).toEqual([first, second]);
});

const byByte = (reader: JpegReader, byte: number) => reader.push(Buffer.from([byte]));

test('what never ends is dropped', () => {
  const reader = new JpegReader();
  expect(reader.push(Buffer.alloc(2 * 1024 * 1024))).toEqual([]);
  expect(reader.push(jpeg(1))).toEqual([jpeg(1)]);
});
