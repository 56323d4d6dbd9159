import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MediaFormatError } from '../media/media-format-error.ts';
import { FlvReader, formatFlvHeader, formatFlvTag } from './flv-file.ts';
import type { FlvTag } from './flv-tag.ts';

const tags: FlvTag[] = [
  { kind: 'script', timestampMs: 0, body: Buffer.from('onMetaData') },
  { kind: 'video', timestampMs: 0x01020304, body: Buffer.from([0x17, 1, 0, 0, 0, 9]) },
  { kind: 'audio', timestampMs: 0xffffffff, body: Buffer.alloc(0) },
];
const file = Buffer.concat([formatFlvHeader({ hasAudio: true, hasVideo: true }), ...tags.map(formatFlvTag)]);

describe('FLV', () => {
  it('writes the header and a tag as annex E says', () => {
    expect(formatFlvHeader({ hasAudio: false, hasVideo: true }).toString('hex')).toBe('464c56010100000009' + '00000000');
    expect(formatFlvHeader({ hasAudio: true, hasVideo: false }).toString('hex')).toBe('464c56010400000009' + '00000000');
    expect(formatFlvTag({ kind: 'video', timestampMs: 0x01020304, body: Buffer.from([0xaa, 0xbb]) }).toString('hex')).toBe(
      '09' + '000002' + '020304' + '01' + '000000' + 'aabb' + '0000000d',
    );
  });

  it('reads back what it wrote, wherever the input is split', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: file.length }), { maxLength: 12 }), (cuts) => {
        const reader = new FlvReader();
        const ends = [...cuts, file.length].sort((one, other) => one - other);
        const read = ends.flatMap((end, index) => reader.push(file.subarray(ends[index - 1] ?? 0, end)));
        expect(read).toEqual(tags);
      }),
    );
  });

  it('skips the unknown rest of a longer header', () => {
    const longer = Buffer.concat([Buffer.from('464c5601050000000c', 'hex'), Buffer.alloc(3 + 4), ...tags.map(formatFlvTag)]);
    expect(new FlvReader().push(longer)).toEqual(tags);
    for (let cut = 1; cut < longer.length; cut += 1) {
      const reader = new FlvReader();
      expect([longer.subarray(0, cut), longer.subarray(cut)].flatMap((piece) => reader.push(piece))).toEqual(tags);
    }
  });

  it.each([8, 65_537])('rejects a header of %i bytes', (sizeBytes) => {
    const broken = Buffer.from(file);
    broken.writeUInt32BE(sizeBytes, 5);
    expect(() => new FlvReader().push(broken)).toThrow(new MediaFormatError(`FLV header size ${sizeBytes} is out of bounds.`));
  });

  it('rejects data that is not FLV, and everything after it', () => {
    const reader = new FlvReader();
    expect(() => reader.push(Buffer.from('RIFF, not at all'))).toThrow(new MediaFormatError('The FLV signature is missing.'));
    expect(() => reader.push(file)).toThrow(new MediaFormatError('The FLV signature is missing.'));
  });

  it('rejects a tag that is not followed by its size', () => {
    const broken = Buffer.from(file);
    broken.writeUInt8(99, 13 + 11 + 10 + 3);
    expect(() => new FlvReader().push(broken)).toThrow(new MediaFormatError('FLV tag of 21 bytes is followed by the size 99.'));
  });

  it('yields the tags before a fault one by one', () => {
    const broken = Buffer.concat([file, Buffer.from([7]), Buffer.alloc(10)]);
    const read: FlvTag[] = [];
    expect(() => {
      for (const tag of new FlvReader().cut(broken)) read.push(tag);
    }).toThrow(new MediaFormatError('FLV tag type 7 is unknown.'));
    expect(read).toEqual(tags);
  });

  it('counts the bytes of an incomplete tag', () => {
    const reader = new FlvReader();
    reader.push(file.subarray(0, -1));
    expect(reader.unfinishedBytes).toBe(14);
    reader.push(file.subarray(-1));
    expect(reader.unfinishedBytes).toBe(0);
  });

  it('rejects an unknown tag type', () => {
    const broken = Buffer.from(file);
    broken.writeUInt8(7, 13);
    expect(() => new FlvReader().push(broken)).toThrow(new MediaFormatError('FLV tag type 7 is unknown.'));
  });

  it('throws only MediaFormatError, whatever the bytes', () => {
    const mutated = fc
      .array(fc.tuple(fc.nat({ max: file.length - 1 }), fc.nat({ max: 255 })), { maxLength: 8 })
      .map((changes) => {
        const bytes = Buffer.from(file);
        for (const [position, value] of changes) bytes[position] = value;
        return bytes;
      });
    const anything = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(mutated, anything), (bytes) => {
        try {
          new FlvReader().push(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MediaFormatError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
