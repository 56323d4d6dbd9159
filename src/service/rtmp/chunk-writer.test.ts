import { expect, test } from 'vitest';
import { ChunkWriter } from './chunk-writer.ts';
import { formatSetChunkSize, type RtmpMessage } from './messages.ts';

function message(timestampMs: number, text: string, typeId = 8): RtmpMessage {
  return { typeId, streamId: 1, timestampMs, payload: Buffer.from(text) };
}

/** Bytes from hexadecimal; spaces are ignored. */
function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}

test('each header omits what the peer already knows', () => {
  const writer = new ChunkWriter();
  const sent = [
    message(1000, 'abc'),
    // A delta after a type 0 header is always sent: readers disagree on what type 3 means there.
    message(2000, 'abc'),
    message(3000, 'abc'),
    message(3010, 'def'),
    message(3020, 'longer'),
    message(3030, 'longer', 9),
    // Earlier than the previous one: absolute again.
    message(3000, 'longer', 9),
  ].map((each) => writer.format(4, each).toString('hex'));
  expect(sent).toEqual(
    [
      '04 0003e8 000003 08 01000000 616263',
      '84 0003e8 616263',
      'c4 616263',
      '84 00000a 646566',
      '44 00000a 000006 08 6c6f6e676572',
      '44 00000a 000006 09 6c6f6e676572',
      '04 000bb8 000006 09 01000000 6c6f6e676572',
    ].map((line) => line.replaceAll(' ', '')),
  );
});

test.each([
  [2, '02'],
  [63, '3f'],
  [64, '00 00'],
  [319, '00 ff'],
  [320, '01 00 01'],
  [65599, '01 ff ff'],
])('chunk stream id %i has the basic header %s', (id, basicHeader) => {
  expect(new ChunkWriter().format(id, message(0, 'x'))).toEqual(hex(`${basicHeader} 000000 000001 08 01000000 78`));
});

test('a message longer than the chunk size continues in chunks of type 3', () => {
  const writer = new ChunkWriter();
  expect(writer.format(6, message(0, 'a'.repeat(128)))).toEqual(hex(`06 000000 000080 08 01000000 ${'61'.repeat(128)}`));
  expect(writer.format(6, message(0, 'a'.repeat(300)))).toEqual(
    hex(`46 000000 00012c 08 ${'61'.repeat(128)} c6 ${'61'.repeat(128)} c6 ${'61'.repeat(44)}`),
  );
});

test('Set Chunk Size takes effect for the messages after it', () => {
  const writer = new ChunkWriter();
  expect(writer.format(2, formatSetChunkSize(2))).toEqual(hex('02 000000 000004 01 00000000 00000002'));
  expect(writer.format(5, message(0, 'abcde'))).toEqual(hex('05 000000 000005 08 01000000 6162 c5 6364 c5 65'));
});

test('a timestamp from 16 777 215 ms is extended, on every chunk of its message', () => {
  const writer = new ChunkWriter();
  writer.format(2, formatSetChunkSize(2));
  expect(writer.format(4, message(0xfffffe, 'ab'))).toEqual(hex('04 fffffe 000002 08 01000000 6162'));
  expect(new ChunkWriter().format(4, message(0xffffff, 'ab'))).toEqual(hex('04 ffffff 000002 08 01000000 00ffffff 6162'));
  expect(writer.format(7, message(0xfedcba98, 'abc'))).toEqual(
    hex('07 ffffff 000003 08 01000000 fedcba98 6162 c7 fedcba98 63'),
  );
  // The delta to the next one is short again.
  expect(writer.format(7, message(0xfedcba99, 'abc'))).toEqual(hex('87 000001 6162 c7 63'));
});

test('timestamps continue across the wrap at 2^32', () => {
  const writer = new ChunkWriter();
  writer.format(4, message(0xffffffff, 'a'));
  expect(writer.format(4, message(9, 'a'))).toEqual(hex('84 00000a 61'));
});

test('an empty message is only a header', () => {
  expect(new ChunkWriter().format(4, message(5, ''))).toEqual(hex('04 000005 000000 08 01000000'));
});
