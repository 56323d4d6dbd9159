import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkReader, type ChunkReaderBounds } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { formatSetChunkSize, type RtmpMessage } from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

const wide: ChunkReaderBounds = {
  maxMessageBytes: 2 ** 24,
  maxChunkStreams: 64,
  maxPartialBytes: 2 ** 25,
};

/** The messages that a reader finds in hexadecimal bytes; spaces are ignored. */
function read(text: string, bounds: Partial<ChunkReaderBounds> = {}): string[] {
  const messages: string[] = [];
  const reader = new ChunkReader({ ...wide, ...bounds }, ({ typeId, streamId, timestampMs, payload }) => {
    messages.push(`${typeId} ${streamId} ${timestampMs} ${payload.toString('latin1')}`);
  });
  reader.push(Buffer.from(text.replaceAll(' ', ''), 'hex'));
  return messages;
}

test('headers of types 1 to 3 take omitted fields from the previous header', () => {
  expect(read('04 0003e8 000003 08 01000000 616263  44 00000a 000002 09 6465  84 000014 6667  c4 6869')).toEqual([
    '8 1 1000 abc',
    '9 1 1010 de',
    '9 1 1030 fg',
    '9 1 1050 hi',
  ]);
});

test('type 3 after type 0 repeats the timestamp as a delta', () => {
  expect(read('04 000014 000001 08 01000000 61  c4 62')).toEqual(['8 1 20 a', '8 1 40 b']);
});

test('type 1 may open a chunk stream, as some encoders do for control messages', () => {
  expect(read('43 000000 000001 08 61')).toEqual(['8 0 0 a']);
});

test.each(['83 000000', 'c3'])('%s, which omits the length, may not open a chunk stream', (bytes) => {
  expect(() => read(bytes)).toThrow(RtmpProtocolError);
});

test('messages of different chunk streams interleave', () => {
  const setChunkSize2 = '02 000000 000004 01 00000000 00000002';
  expect(
    read(`${setChunkSize2} 04 000001 000003 08 01000000 6162  0005 000002 000004 09 01000000 3132  c4 63  c005 3334`),
  ).toEqual(['8 1 1 abc', '9 1 2 1234']);
});

test('a chunk stream is the same one whether its number takes two bytes or three', () => {
  expect(read('00ff 000001 000001 08 01000000 61  c1ff00 62  81ff00 000005 63')).toEqual(['8 1 1 a', '8 1 2 b', '8 1 7 c']);
});

test('a message may not begin inside another of its chunk stream', () => {
  const half = `04 000000 0000c8 08 01000000 ${'61'.repeat(128)}`;
  expect(() => read(`${half} 04 000000 000001 08 01000000 61`)).toThrow(
    new RtmpProtocolError('A message began before the previous one of its chunk stream ended.'),
  );
});

test('Abort discards an incomplete message, so that another may begin', () => {
  const half = `04 000000 0000c8 08 01000000 ${'61'.repeat(128)}`;
  const abort4 = '02 000000 000004 02 00000000 00000004';
  expect(read(`${half} ${abort4} 44 000001 000002 09 6465`)).toEqual(['9 1 1 de']);
  expect(read(`${abort4} 04 000000 000001 08 01000000 61`)).toEqual(['8 1 0 a']);
});

test('extended timestamps are read on every chunk, as absolute time and as delta', () => {
  const setChunkSize2 = '02 000000 000004 01 00000000 00000002';
  expect(
    read(
      `${setChunkSize2} 04 ffffff 000003 08 01000000 01000000 6162 c4 01000000 63  84 ffffff 00ffffff 6465 c4 00ffffff 66  c4 00ffffff 6768 c4 00ffffff 69`,
    ),
  ).toEqual(['8 1 16777216 abc', '8 1 33554431 def', '8 1 50331646 ghi']);
});

test('a type 3 chunk without the extended timestamp is payload from its start', () => {
  expect(read(`04 ffffff 000085 08 01000000 01000000 ${'61'.repeat(128)} c4 6263646566`)).toEqual([
    `8 1 16777216 ${'a'.repeat(128)}bcdef`,
  ]);
});

test('a message whose chunks omit the extended timestamp is read whole, in whatever pieces it arrives', () => {
  const omitting = (end: string) =>
    `04ffffff00010${end.length}080100000001000000${'61'.repeat(128)}c4${'62'.repeat(128)}c4${Buffer.from(end).toString('hex')}`;
  for (const ends of [
    ['\x01\0\x01', 'cde'],
    ['\x01\0', 'cd'],
    ['\x01', 'c'],
  ]) {
    const bytes = Buffer.from(`${ends.map(omitting).join('')}04000000000001080100000066`, 'hex');
    const payloads = ends.map((end) => 'a'.repeat(128) + 'b'.repeat(128) + end);
    for (let cut = 0; cut < bytes.length; cut += 1) {
      for (const next of [1, 2, 3, 4]) {
        const messages: string[] = [];
        const reader = new ChunkReader(wide, ({ payload }) => void messages.push(payload.toString('latin1')));
        for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut, cut + next), bytes.subarray(cut + next)])
          reader.push(piece);
        expect(messages, `cut at ${cut}, ${next} bytes alone`).toEqual([...payloads, 'f']);
      }
    }
  }
});

test('timestamps wrap at 2^32', () => {
  expect(read('04 ffffff 000001 08 01000000 ffffffff 61  84 00000a 62')).toEqual(['8 1 4294967295 a', '8 1 9 b']);
});

test('empty messages are passed on', () => {
  expect(read('04 000005 000000 08 01000000  c4')).toEqual(['8 1 5 ', '8 1 10 ']);
});

test.each([
  ['0', '00000000'],
  ['negative', '80000001'],
])('a chunk size that is %s is rejected', (_, size) => {
  expect(() => read(`02 000000 000004 01 00000000 ${size}`)).toThrow(
    /^A chunk size of \d+ bytes is not between 1 and 2147483647\.$/,
  );
});

test.each(['00000001', '01000000', '08000000', '7fffffff'])('the chunk size 0x%s is accepted', (size) => {
  expect(read(`02 000000 000004 01 00000000 ${size}  04 000000 000001 08 01000000 61`)).toEqual(['8 1 0 a']);
});

test('a control message without its value is rejected', () => {
  expect(() => read('02 000000 000003 01 00000000 000000')).toThrow(RtmpProtocolError);
});

test('a message over the limit is rejected at its header, one at the limit is read', () => {
  expect(() => read('04 000000 000005 08 01000000', { maxMessageBytes: 4 })).toThrow(
    new RtmpProtocolError('A message of 5 bytes exceeds the limit of 4.'),
  );
  expect(read('04 000000 000004 08 01000000 61626364', { maxMessageBytes: 4 })).toEqual(['8 1 0 abcd']);
});

test('incomplete messages may not announce more than the limit in total', () => {
  const begin = (id: string) => `${id} 000000 0000c8 08 01000000 ${'61'.repeat(128)}`;
  const end = (id: string) => `${id} ${'61'.repeat(72)}`;
  const bounds = { maxPartialBytes: 400 };
  expect(() => read(`${begin('04')} ${begin('05')} ${begin('06')}`, bounds)).toThrow(RtmpProtocolError);
  expect(read(`${begin('04')} ${begin('05')} ${end('c4')} ${begin('06')} ${end('c5')} ${end('c6')}`, bounds).length).toBe(3);
});

test('more chunk streams than the limit are rejected', () => {
  const one = (id: string) => `${id} 000000 000001 08 01000000 61`;
  expect(() => read(`${one('04')} ${one('05')} ${one('06')}`, { maxChunkStreams: 2 })).toThrow(
    new RtmpProtocolError('More than 2 chunk streams were opened.'),
  );
});

test('a long message takes no more memory than has arrived of it', () => {
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 50 }, () => {
    const reader = new ChunkReader(wide, () => {});
    reader.push(Buffer.from('04000000ffffff0801000000616161', 'hex'));
    return reader;
  });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 512 * 1024);
  expect(readers.length).toBe(50);
});

test('a long message is read whole, in whatever pieces it arrives', () => {
  const payload = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
  const bytes = new ChunkWriter().format(4, { typeId: 9, streamId: 1, timestampMs: 0, payload });
  for (const pieceBytes of [1000, 17_000, bytes.length]) {
    const payloads: Buffer[] = [];
    const reader = new ChunkReader(wide, (message) => payloads.push(message.payload));
    for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
    expect(payloads.map((read) => read.equals(payload))).toEqual([true]);
  }
});

test('a message is a view of the memory it arrived in only if it fills half of it', () => {
  const areViews = (sizesBytes: readonly number[], budget?: number) => {
    const writer = new ChunkWriter();
    const payloads = sizesBytes.map((bytes, index) => Buffer.alloc(bytes, index + 1));
    const messages = payloads.map((payload) => ({ typeId: 9, streamId: 1, timestampMs: 0, payload }));
    const bytes = Buffer.from(new Uint8Array(Buffer.concat(messages.map((message) => writer.format(4, message)))).buffer);
    const received: Buffer[] = [];
    const reader = new ChunkReader(wide, ({ payload }) => received.push(payload));
    for (let at = 0; at < bytes.length; ) at += reader.push(bytes.subarray(at), budget);
    expect(received).toEqual(payloads);
    return received.map((payload) => payload.buffer === bytes.buffer);
  };
  expect(areViews([100])).toEqual([true]);
  // The header takes 12 bytes.
  expect(areViews([12])).toEqual([true]);
  expect(areViews([11])).toEqual([false]);
  // Two chunks, the first of which fills half of it.
  expect(areViews([200])).toEqual([false]);
  expect(areViews([30, 100])).toEqual([false, true]);
  expect(areViews([100, 70, 30], 1)).toEqual([false, false, false]);
});

test('nothing is passed on after stop, not even from the bytes being read', () => {
  const messages: RtmpMessage[] = [];
  const reader = new ChunkReader(wide, (message) => {
    messages.push(message);
    reader.stop();
  });
  reader.push(Buffer.from('040000000000010801000000610400000000000108010000006a', 'hex'));
  expect(messages.map(({ payload }) => payload.toString())).toEqual(['a']);
});

const someMessage = fc.record({
  chunkStreamId: fc.constantFrom(3, 4, 63, 64, 319, 320, 65599),
  message: fc.record({
    typeId: fc.constantFrom(8, 9, 18, 20),
    streamId: fc.constantFrom(0, 1, 0x01020304),
    timestampMs: fc.oneof(fc.nat(100), fc.constantFrom(0xfffffe, 0xffffff, 0x1000000, 0xffffffff), fc.nat(0xffffffff)),
    payload: fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
  }),
});

test('formatted messages parse back, with any chunk size and however the bytes are split', () => {
  fc.assert(
    fc.property(
      fc.array(someMessage, { maxLength: 12 }),
      fc.integer({ min: 1, max: 800 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }),
      (sent, chunkSize, cuts) => {
        const writer = new ChunkWriter();
        const bytes = Buffer.concat([
          writer.format(2, formatSetChunkSize(chunkSize)),
          ...sent.map(({ chunkStreamId, message }) => writer.format(chunkStreamId, message)),
        ]);
        const received: RtmpMessage[] = [];
        const reader = new ChunkReader(wide, (message) => received.push(message));
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1;
          reader.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(received).toEqual(sent.map(({ message }) => message));
      },
    ),
  );
});

test('random bytes are read or rejected, and cause no other error', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 20 }), (pieces) => {
      const reader = new ChunkReader({ ...wide, maxMessageBytes: 4096 }, () => {});
      try {
        for (const piece of pieces) reader.push(Buffer.from(piece));
      } catch (error) {
        expect(error).toBeInstanceOf(RtmpProtocolError);
      }
    }),
    { numRuns: 2000 },
  );
});

/** An aggregate message on chunk stream 4 with this many parts of alternating types; their first byte counts them. */
function formatAggregate(parts: number, typeIds = [8]): Buffer {
  const payload = Buffer.concat(
    Array.from({ length: parts }, (_, index) =>
      Buffer.from([typeIds[index % typeIds.length]!, 0, 0, 1, 0, 0, index, 0, 0, 0, 0, index, 0, 0, 0, 12]),
    ),
  );
  const header = Buffer.from([4, 0, 0, 0, 0, 0, 0, 22, 1, 0, 0, 0]);
  header.writeUIntBE(payload.length, 4, 3);
  return Buffer.concat([Buffer.from('020000000000040100000000', 'hex'), Buffer.of(0, 0xff, 0xff, 0xff), header, payload]);
}

test('an aggregate at the end of what arrived has more until its last part is passed on', () => {
  let handedOn = 0;
  const reader = new ChunkReader(wide, () => (handedOn += 1));
  const bytes = formatAggregate(3);
  for (let at = 0; at < bytes.length; ) at += reader.push(bytes.subarray(at), 1);
  while (reader.hasMore) reader.push(Buffer.alloc(0), 1);
  expect(handedOn).toBe(3);
});

test('the parts of an aggregate are passed on within the budget, before later messages', () => {
  const handedOn: number[] = [];
  const reader = new ChunkReader(wide, ({ payload }) => handedOn.push(payload[0] ?? -1));
  const bytes = Buffer.concat([formatAggregate(100), Buffer.from('04000000000001080100000077', 'hex')]);
  const ofTurns: number[] = [];
  let at = 0;
  do {
    const before = handedOn.length;
    at += reader.push(bytes.subarray(at), 320);
    ofTurns.push(handedOn.length - before);
  } while (at < bytes.length || reader.hasMore);
  expect(handedOn).toEqual([...Array(100).keys(), 0x77]);
  expect(Math.max(...ofTurns)).toBeLessThanOrEqual(10);
});

test('only media parts of an aggregate are passed on, each with its own buffer', () => {
  const messages: RtmpMessage[] = [];
  new ChunkReader(wide, (message) => messages.push(message)).push(formatAggregate(7, [8, 9, 18, 15, 20, 1, 3]));
  expect(messages.map(({ typeId }) => typeId)).toEqual([8, 9, 18, 15]);
  expect(new Set(messages.map(({ payload }) => payload.byteOffset)).size).toBe(4);
  const [first] = messages;
  const large = Buffer.concat([formatAggregate(20_000)]);
  const kept: RtmpMessage[] = [];
  new ChunkReader(wide, (message) => kept.push(message)).push(large);
  expect(first && kept[0]?.payload.buffer.byteLength).toBeLessThan(100_000);
});

test('work counts each chunk, each KiB, and the handling of each message by its size', () => {
  const workOf = (sizeBytes: number, chunkBytes: number) => {
    const reader = new ChunkReader(wide, () => {});
    const writer = new ChunkWriter();
    reader.push(writer.format(2, formatSetChunkSize(chunkBytes)));
    const before = reader.work;
    reader.push(writer.format(4, { typeId: 9, streamId: 1, timestampMs: 0, payload: Buffer.alloc(sizeBytes) }));
    return reader.work - before;
  };
  // An empty message has one chunk.
  expect([workOf(0, 128), workOf(20_480, 20_480), workOf(20_480, 128), workOf(20_480, 1)]).toEqual([
    1 + 32,
    1 + 20 + 32 + 320,
    160 + 20 + 32 + 320,
    20_480 + 20 + 32 + 320,
  ]);
});
