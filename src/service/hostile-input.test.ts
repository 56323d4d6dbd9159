import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startCountingWork } from '../../test/support/count-work.ts';

const { countWork } = await startCountingWork();
// Import only now, so that the work of these modules is counted.
const { parseAcceptedRange, ...http } = await importHttp();
const { parseAacConfig } = await import('./media/aac.ts');
const { findCaptureStamp } = await import('./media/h264-capture-stamp.ts');
const { FlvReader } = await import('./flv/flv-file.ts');
const { parseAudioTag } = await import('./flv/audio-tag.ts');
const { parseVideoTag } = await import('./flv/video-tag.ts');
const { parseH264Config, surveyNalUnits } = await import('./media/h264.ts');
const { parseHevcConfig, inspectHevcPicture } = await import('./media/hevc.ts');
const { parseHevcSps } = await import('./media/hevc-sps.ts');
const { inspectTemporalUnit, parseAv1Config } = await import('./media/av1.ts');
const { parseAv1Sequence } = await import('./media/av1-sequence.ts');
const { measureOpusPacket, parseOpusHead } = await import('./media/opus.ts');
const { makeBlackPicture } = await import('./media/h264-black.ts');
const { addOwnParameters } = await import('./media/h264-parameters.ts');
const { makeStill } = await import('./media/h264-still.ts');
const { isIdrPicture, withoutEmptyUnits } = await import('./media/nal-unit.ts');
const { forgeAvcRecord } = await import('../../test/support/forged-avc-record.ts');
const { UnitReader } = await import('./flv/unit-reader.ts');
const { unpackAggregate } = await import('./rtmp/aggregate.ts');
const { formatAmf0, parseAmf0, parseLeadingAmf0String } = await import('./rtmp/amf0.ts');
const { ChunkReader } = await import('./rtmp/chunk-reader.ts');
const { parseCommand } = await import('./rtmp/commands.ts');
const { createServerHandshake } = await import('./rtmp/handshake.ts');
const { messageType, parseUserControl } = await import('./rtmp/messages.ts');
const { markKeyframe } = await import('./media/h264-recovery-point.ts');
const { parsePublisherMetadata } = await import('./ingest/publisher-metadata.ts');

async function importHttp() {
  const { parseByteRange: parseAcceptedRange } = await import('./hls/byte-range.ts');
  const { acceptsGzip, matchesEtag } = await import('./hls/conditional.ts');
  return { parseAcceptedRange, acceptsGzip, matchesEtag };
}

const kib = 1024;
const amf0Bounds = { maxDepth: 16, maxValues: 1_000 };
const chunkBounds = { maxMessageBytes: 2 ** 24, maxChunkStreams: 64, maxPartialBytes: 256 * kib };
const plainRecord = Buffer.from('014d401fffe10019674d401feca02802dd80880000030008000003019078c18cb001000568ebe3cb20', 'hex');
const plainConfig = addOwnParameters(parseH264Config(plainRecord));

/** Every function that reads outside input. All of them may throw. */
const readers: Record<string, (bytes: Buffer) => void> = {
  handshake(bytes) {
    const handshake = createServerHandshake();
    for (const byte of bytes.subarray(0, 8 * kib)) handshake.push(Buffer.of(byte));
  },
  chunks: (bytes) => new ChunkReader(chunkBounds, () => {}).push(bytes),
  'chunks, byte by byte'(bytes) {
    const reader = new ChunkReader(chunkBounds, () => {});
    for (let at = 0; at < bytes.length; at += 1) reader.push(bytes.subarray(at, at + 1));
  },
  AMF0: (bytes) => void parseAmf0(bytes, amf0Bounds),
  'AMF0 string': (bytes) => void parseLeadingAmf0String(bytes),
  command: (payload) => void parseCommand({ typeId: messageType.commandAmf0, streamId: 0, timestampMs: 0, payload }, 16),
  'user control': (payload) => void parseUserControl({ typeId: messageType.userControl, streamId: 0, timestampMs: 0, payload }),
  metadata: (bytes) => void parsePublisherMetadata(bytes),
  aggregate(payload) {
    for (const _ of unpackAggregate({ typeId: messageType.aggregate, streamId: 1, timestampMs: 0, payload }));
  },
  'video tag': (body) => void [new UnitReader().readUnit({ kind: 'video', timestampMs: 0, body }), parseVideoTag(body)],
  'audio tag': (body) => void [new UnitReader().readUnit({ kind: 'audio', timestampMs: 0, body }), parseAudioTag(body)],
  FLV: (bytes) => void new FlvReader().push(bytes),
  'FLV, byte by byte'(bytes) {
    const reader = new FlvReader();
    for (let at = 0; at < bytes.length; at += 1) reader.push(bytes.subarray(at, at + 1));
  },
  'AAC configuration': (bytes) => void parseAacConfig(bytes),
  'H.264 configuration': (bytes) => void addOwnParameters(parseH264Config(bytes)),
  'HEVC configuration': (bytes) => void parseHevcConfig(bytes),
  'HEVC SPS': (bytes) => void parseHevcSps(bytes),
  'HEVC access unit': (bytes) => void inspectHevcPicture(bytes, { nalLengthBytes: 4 }),
  'AV1 configuration': (bytes) => void parseAv1Config(bytes),
  'AV1 sequence header': (bytes) => void parseAv1Sequence(bytes),
  'AV1 temporal unit': (bytes) => void inspectTemporalUnit(bytes, { sequenceHeader: Buffer.alloc(13), isStill: false }),
  'Opus configuration': (bytes) => void parseOpusHead(bytes),
  'Opus packet': (bytes) => void measureOpusPacket(bytes),
  'access unit, short prefixes': (bytes) => void surveyNalUnits(bytes, 1),
  'access unit'(bytes) {
    surveyNalUnits(bytes, 4);
    withoutEmptyUnits(bytes, 4);
    isIdrPicture(bytes, 4);
    findCaptureStamp(bytes, 4);
  },
  keyframe: (bytes) => void markKeyframe(bytes, 4),
  still: (bytes) => void makeStill(bytes, plainConfig)?.repeat(1),
  'byte range': (bytes) => void parseAcceptedRange(bytes.toString('latin1'), 1_000),
  'entity tags': (bytes) => void http.matchesEtag(bytes.toString('latin1'), '"1"'),
  codings: (bytes) => void http.acceptsGzip(bytes.toString('latin1')),
};

/** Repeatable patterns, each the worst case for one of the readers. */
const patterns: Record<string, Buffer> = {
  zeros: Buffer.of(0),
  ones: Buffer.of(255),
  'AMF0 nulls': Buffer.of(5),
  'AMF0 arrays of one': Buffer.from('0a00000001', 'hex'),
  'AMF0 arrays of many': Buffer.from('0a00001000', 'hex'),
  'AMF0 maps': Buffer.from('080000000000016103000161', 'hex'),
  'AMF0 properties': Buffer.from('00016105', 'hex'),
  'chunks of one byte': Buffer.from('c300', 'hex'),
  'messages of nothing': Buffer.from('430000000000000f', 'hex'),
  'FLV tags of nothing': Buffer.from('09000000000000000000000000000b', 'hex'),
  'messages of nothing in an aggregate': Buffer.from('0900000000000000000000000000b0', 'hex'),
  'NAL units of nothing': Buffer.from('00000000', 'hex'),
  'NAL units of one byte': Buffer.from('0000000165', 'hex'),
  'HEVC parameter sets of nothing': Buffer.from('a1ffff', 'hex'),
  'OBUs of nothing': Buffer.from('1200', 'hex'),
  'supplemental information': Buffer.from('0000000306ff03', 'hex'),
  'emulation prevention': Buffer.from('000003', 'hex'),
  commas: Buffer.from(',"1', 'latin1'),
  blanks: Buffer.from(' \t;q=0.', 'latin1'),
};

/** Valid beginnings, after which a reader continues with the pattern. */
const heads: Buffer[] = [
  ...['', '03000000000001090000000000', '020000000000040100000000000000010300000000ffff0900000000'].map(fromHex),
  ...['464c5601050000000900000000', '0802', '1f3b06', '000fffff06'].map(fromHex),
  ...[formatAmf0('onMetaData'), formatAmf0('connect', 1), Buffer.from('bytes=')],
  Buffer.concat([plainRecord.subarray(0, 36), Buffer.of(255)]),
  ...[`${'01'.padEnd(42, '0')}03ff`, '4201010160', '81000c00'].map(fromHex),
];

function fromHex(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** Limits on steps: per byte, and per message of any length. */
const stepsPerByte = 12;
const stepsForNothing = 5_000;
/** Limits on allocated bytes: per byte, and per message of any length. */
const bytesPerByte = 6;
const bytesForNothing = 64 * kib;

function read(reader: (bytes: Buffer) => void, ...inputs: Buffer[]) {
  return countWork(() => {
    for (const bytes of inputs) {
      try {
        reader(bytes);
      } catch {
        // Rejecting the input is fine.
      }
    }
  });
}

function expectBounded(reader: (bytes: Buffer) => void, what: string, inputs: Buffer[]) {
  const { steps, allocatedBytes } = read(reader, ...inputs);
  const sizeBytes = inputs.reduce((sum, { length }) => sum + length, 0);
  const most = {
    steps: stepsPerByte * sizeBytes + stepsForNothing * inputs.length,
    bytes: bytesPerByte * sizeBytes + bytesForNothing * inputs.length,
  };
  expect([what, steps, allocatedBytes]).toEqual([what, Math.min(steps, most.steps), Math.min(allocatedBytes, most.bytes)]);
}

test('the cost of any reader depends only on the number of bytes, not on their content', () => {
  const inputs = Object.values(patterns).flatMap((pattern) =>
    heads.map((head) => Buffer.concat([head, Buffer.alloc(16 * kib, pattern)])),
  );
  for (const [name, reader] of Object.entries(readers)) expectBounded(reader, name, inputs);
}, 60_000);

test('random bytes and messages with a valid beginning cost no reader more than its limit', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom(...Object.values(patterns)), fc.nat(600))
      .map(([pattern, count]) => Buffer.alloc(pattern.length * count, pattern)),
  );
  const message = fc
    .tuple(fc.constantFrom(...heads), fc.array(piece, { maxLength: 6 }))
    .map(([head, pieces]) => Buffer.concat([head, ...pieces]));
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(readers)),
      fc.array(message, { minLength: 10, maxLength: 20 }),
      (name, messages) => expectBounded(readers[name]!, name, messages),
    ),
    { numRuns: 150 },
  );
}, 60_000);

test('a script data message stays within its limit, however long it is', () => {
  for (const value of [Buffer.of(5), Buffer.from('0a00000001', 'hex'), Buffer.from('0800000000000161', 'hex')]) {
    const body = Buffer.concat([formatAmf0('onMetaData'), Buffer.alloc(15_000_000, value)]);
    expect(read(readers.metadata!, body).steps).toBeLessThan(1_000);
    const short = Buffer.concat([formatAmf0('onMetaData'), Buffer.alloc(60_000, value)]);
    expect(read(readers.metadata!, short).steps).toBeLessThan(100_000);
  }
});

test('an access unit stays within its limit, however many NAL units or SEI messages it has', () => {
  const units = {
    'of nothing': '00000000',
    'of one byte': '0000000165',
    'of information': '0000000306ff03',
    'that is no slice': '0000000109',
  };
  for (const [what, hex] of Object.entries(units)) {
    const accessUnit = Buffer.alloc(15_000_000, fromHex(hex));
    const information = Buffer.concat([fromHex('00e4e1bf06'), Buffer.alloc(14_999_998, 255)]);
    for (const bytes of [accessUnit, information]) {
      for (const name of ['access unit', 'still', 'keyframe']) {
        const { steps } = read(readers[name]!, bytes);
        expect([what, name, steps]).toEqual([what, name, Math.min(steps, 100_000)]);
      }
    }
  }
});

test('a sequence with more macroblocks than any level allows is rejected, even if cropped to a small picture', () => {
  expect(parseH264Config(forgeAvcRecord(1055, 132))).toMatchObject({ width: 16_880, height: 2_112 });
  expect(parseH264Config(forgeAvcRecord(373, 373)).coding.macroblocks).toBe(139_129);
  expect(() => parseH264Config(forgeAvcRecord(374, 373))).toThrow('374 by 373 macroblocks');
  expect(() => parseH264Config(forgeAvcRecord(1056, 10))).toThrow('1056 by 10 macroblocks');
  expect(() => parseH264Config(forgeAvcRecord(10, 1056))).toThrow('10 by 1056 macroblocks');
  expect(() => parseH264Config(forgeAvcRecord(4096, 4096, 32_000))).toThrow('4096 by 4096 macroblocks');
});

test('the cost of the largest black picture is proportional to its macroblocks', () => {
  const config = addOwnParameters(parseH264Config(forgeAvcRecord(1055, 132)));
  let sizeBytes = 0;
  const { steps, allocatedBytes } = countWork(() => {
    sizeBytes = makeBlackPicture(config)?.length ?? 0;
  });
  expect(sizeBytes).toBeGreaterThan(50_000);
  expect(steps).toBeLessThan(8_000_000);
  expect(allocatedBytes).toBeLessThan(2_000_000);
});
