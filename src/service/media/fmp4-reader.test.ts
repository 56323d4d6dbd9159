import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSegment } from '../../../test/support/read-segment.ts';
import { aacFormat } from './aac-format.ts';
import { formatBox, formatFullBox, uint32 } from './fmp4-box.ts';
import { formatInitSegment } from './fmp4-init.ts';
import { findBox, readBoxes, readFragment } from './fmp4-reader.ts';
import { formatFragment } from './fmp4-segment.ts';
import { readTracks } from './fmp4-tracks.ts';
import { h264Format } from './h264-format.ts';
import { MediaFormatError } from './media-format-error.ts';

const video = h264Format.parseRecord(
  Buffer.from('0164001effe100186764001eacd940b424d8208000000300800000194f8a14cb01000668fba3cb22c0fdf8f800', 'hex'),
);
const audio = aacFormat.parseRecord(Buffer.from('1190', 'hex'));

/** A fragment of one track with these boxes after its `tfhd`, and its media. */
function makeFragment(header: Buffer, boxes: readonly Buffer[], media: string): Buffer {
  const moof = formatBox('moof', formatFullBox('mfhd', 0, 0, uint32(9)), formatBox('traf', header, boxes));
  return Buffer.concat([moof, formatBox('mdat', Buffer.from(media))]);
}

const texts = (segment: Buffer, trackId: number) =>
  readSegment(segment)
    .get(trackId)
    ?.map(({ data, ...sample }) => ({ ...sample, data: data.toString() }));

test('readTracks reads our init segments, and the formats find their records there', () => {
  const tracks = readTracks(findBox(formatInitSegment({ video, audio }), 'moov') ?? Buffer.alloc(0));
  expect(tracks.map(({ boxes: _boxes, ...track }) => track)).toEqual([
    { id: 1, kind: 'video', timescale: 90_000, fourCc: 'avc1', defaults: { duration: 0, sizeBytes: 0, flags: 0 } },
    { id: 2, kind: 'audio', timescale: 48_000, fourCc: 'mp4a', defaults: { duration: 0, sizeBytes: 0, flags: 0 } },
  ]);
  expect(h264Format.findRecord(tracks[0]?.boxes ?? [])).toEqual(video.record);
  expect(aacFormat.findRecord(tracks[1]?.boxes ?? [])).toEqual(audio.record);
  expect(h264Format.findRecord(tracks[1]?.boxes ?? [])).toBeUndefined();
  expect(aacFormat.findRecord(tracks[0]?.boxes ?? [])).toBeUndefined();
});

/** The content of a `moov` with one track that has these boxes, and the defaults of its samples. */
function makeMovie(track: readonly Buffer[], defaults: readonly number[]): Buffer {
  return Buffer.concat([
    formatBox('trak', track),
    formatBox('mvex', formatBox('mehd'), formatFullBox('trex', 0, 0, uint32(...defaults))),
  ]);
}

/** The `mdia` of a track with 64-bit times. */
function makeMedia(handler: string, entries: readonly Buffer[]): Buffer {
  return formatBox(
    'mdia',
    formatFullBox('mdhd', 1, 0, uint32(0, 0, 0, 0), uint32(1000)),
    formatFullBox('hdlr', 0, 0, uint32(0), Buffer.from(handler)),
    formatBox('minf', formatBox('stbl', formatFullBox('stsd', 0, 0, uint32(entries.length), entries))),
  );
}

const header = formatFullBox('tkhd', 1, 0, uint32(0, 0, 0, 0), uint32(7));
const entry = formatBox('avc1', Buffer.alloc(78), formatBox('free'));
const read = (track: readonly Buffer[]) => readTracks(makeMovie(track, [7, 1, 40, 3, 0x10000]));

test('readTracks reads 64-bit times and the defaults of a track', () => {
  expect(read([header, makeMedia('vide', [entry])])).toEqual([
    {
      id: 7,
      kind: 'video',
      timescale: 1000,
      fourCc: 'avc1',
      boxes: [{ type: 'free', position: 0, content: Buffer.alloc(0) }],
      defaults: { duration: 40, sizeBytes: 3, flags: 0x10000 },
    },
  ]);
});

test('readTracks leaves out tracks of neither video nor audio, and refuses one without its boxes', () => {
  expect(read([header, makeMedia('text', [])])).toEqual([]);
  expect(() => read([header, makeMedia('vide', [])])).toThrow(new MediaFormatError('A track has no sample entry.'));
  expect(() => read([makeMedia('vide', [entry])])).toThrow(new MediaFormatError('A track has no tkhd.'));
  expect(() => read([header, formatBox('mdia')])).toThrow(new MediaFormatError('A track has no hdlr.'));
});

test('a track without ticks has no times', () => {
  const init = formatInitSegment({ video, audio });
  // The number after the two times of its mdhd (ISO/IEC 14496-12 §8.4.2).
  init.writeUInt32BE(0, init.indexOf('mdhd') + 16);
  expect(() => readTracks(findBox(init, 'moov') ?? Buffer.alloc(0))).toThrow(
    new MediaFormatError('The timescale of a track is 0.'),
  );
});

test('reads defaults of the track fragment, a 32-bit decode time and first-sample flags', () => {
  const header = formatFullBox('tfhd', 0, 0x020038, uint32(1, 40, 3, 0x10000));
  const time = formatFullBox('tfdt', 0, 0, uint32(1000));
  const run = (dataOffset: number) => formatFullBox('trun', 0, 0x5, uint32(2, dataOffset, 0));
  const probe = makeFragment(header, [time, run(0)], '');
  const segment = makeFragment(header, [time, run(probe.length)], 'onetwo');
  expect(texts(segment, 1)).toEqual([
    { dts: 1000, compositionOffset: 0, duration: 40, sync: true, data: 'one' },
    { dts: 1040, compositionOffset: 0, duration: 40, sync: false, data: 'two' },
  ]);
});

test('defaults of the track apply if the fragment has none; a second run follows the first', () => {
  const header = formatFullBox('tfhd', 0, 0x020000, uint32(1));
  const time = formatFullBox('tfdt', 0, 0, uint32(0));
  const runs = (dataOffset: number) => [
    formatFullBox('trun', 0, 0x1, uint32(1, dataOffset)),
    formatFullBox('trun', 0, 0x800, uint32(1, 0xffffffff)),
  ];
  const probe = makeFragment(header, [time, ...runs(0)], '');
  const segment = makeFragment(header, [time, ...runs(probe.length)], 'onetwo');
  const moof = readBoxes(segment)[0]!;
  const { sequenceNumber, tracks } = readFragment(segment, moof, new Map([[1, { duration: 7, sizeBytes: 3, flags: 0 }]]));
  expect(sequenceNumber).toBe(9);
  expect(tracks).toEqual([
    {
      trackId: 1,
      samples: [
        { dts: 0, compositionOffset: 0, duration: 7, sync: true, data: Buffer.from('one') },
        { dts: 7, compositionOffset: 0xffffffff, duration: 7, sync: true, data: Buffer.from('two') },
      ],
    },
  ]);
});

test('data are where a track says: at a place in the file, after the moof began, or after the data of the track before', () => {
  const traf = (flags: number, id: number, extra: Buffer, dataOffset?: number) =>
    formatBox('traf', formatFullBox('tfhd', 0, flags, uint32(id), extra), formatFullBox('tfdt', 0, 0, uint32(0)), [
      dataOffset === undefined
        ? formatFullBox('trun', 0, 0x200, uint32(1, 3))
        : formatFullBox('trun', 0, 0x201, uint32(1, dataOffset, 3)),
    ]);
  const before = formatBox('free', Buffer.from('far'));
  const moofWith = (dataOffset: number) =>
    formatBox('moof', formatFullBox('mfhd', 0, 0, uint32(9)), [
      // An index of a sample description, which has no meaning here, comes before the defaults.
      traf(0x2000a, 1, uint32(1, 5), dataOffset),
      traf(0x8, 2, uint32(6)),
      traf(0x9, 3, uint32(0, 8, 7)),
    ]);
  const moof = moofWith(moofWith(0).length + 8);
  const file = Buffer.concat([before, moof, formatBox('mdat', Buffer.from('onetwo'))]);
  const { tracks } = readFragment(file, readBoxes(file)[1]!);
  expect(
    tracks.map(({ trackId, samples }) => [trackId, ...samples.map(({ duration, data }) => [duration, data.toString()])]),
  ).toEqual([
    [1, [5, 'one']],
    [2, [6, 'two']],
    [3, [7, 'far']],
  ]);
});

test.each([-1000, 1000])('a sample %i bytes from its moof is outside the file', (dataOffset) => {
  const boxes = [formatFullBox('tfdt', 0, 0, uint32(0)), formatFullBox('trun', 0, 0x201, uint32(1, dataOffset >>> 0, 3))];
  const segment = makeFragment(formatFullBox('tfhd', 0, 0x020000, uint32(1)), boxes, 'one');
  expect(() => readSegment(segment)).toThrow(new MediaFormatError('A sample is outside its file.'));
});

test.each([
  ['0000000166726565000000000000000f', 'The box at byte 0 is incomplete.'],
  ['00000001667265650000000100000010', 'The box at byte 0 is incomplete.'],
  ['000000016672656500000000', 'The box at byte 0 is incomplete.'],
  ['0000000', 'The box at byte 0 is incomplete.'],
  ['00000007', 'The box at byte 0 is incomplete.'],
  ['0000000966726565', 'The box at byte 0 is incomplete.'],
  ['0000000866726565', 'A segment has no moof.'],
  [formatBox('moof').toString('hex'), 'A moof has no mfhd.'],
  [makeFragment(formatFullBox('tfhd', 0, 0, uint32(1)), [], '').toString('hex'), 'A traf has no tfhd or no tfdt.'],
])('%s is not a segment: %s', (hex, sentence) => {
  expect(() => readSegment(Buffer.from(hex, 'hex'))).toThrow(new MediaFormatError(sentence));
});

test('a box may have a 64-bit size, and the last one may reach to the end of the file', () => {
  const sized = Buffer.from('000000016672656500000000000000126162000000006d646174', 'hex');
  expect(readBoxes(sized).map(({ content, ...box }) => ({ ...box, content: content.toString() }))).toEqual([
    { type: 'free', position: 0, content: 'ab' },
    { type: 'mdat', position: 18, content: '' },
  ]);
});

test('a run that claims very many samples costs nothing, nor do many runs', () => {
  const boxes = [formatFullBox('tfdt', 0, 0, uint32(0)), formatFullBox('trun', 0, 0, uint32(0xffffffff))];
  expect(() => readSegment(makeFragment(formatFullBox('tfhd', 0, 0, uint32(1)), boxes, ''))).toThrow(
    new MediaFormatError('A moof has more than 65536 samples.'),
  );
  const run = formatFullBox('trun', 0, 0, uint32(40_000));
  expect(() => readSegment(makeFragment(formatFullBox('tfhd', 0, 0, uint32(1)), [boxes[0]!, run, run], ''))).toThrow(
    new MediaFormatError('A moof has more than 65536 samples.'),
  );
});

test('throws only MediaFormatError, whatever the bytes', () => {
  const sample = { data: Buffer.from('media'), duration: 3000, compositionOffset: 0, sync: true };
  const tracks = [{ trackId: 1, baseDecodeTime: 0, samples: [sample, sample] }];
  const file = Buffer.concat([formatInitSegment({ video, audio }), formatFragment(1, tracks, { segmentStarts: true })]);
  const changed = fc
    .array(fc.tuple(fc.nat({ max: file.length - 1 }), fc.nat({ max: 255 })), { maxLength: 8 })
    .map((changes) => {
      const bytes = Buffer.from(file);
      for (const [position, value] of changes) bytes[position] = value;
      return bytes;
    });
  fc.assert(
    fc.property(changed, (bytes) => {
      try {
        for (const { type, content } of readBoxes(bytes)) {
          if (type !== 'moov') continue;
          for (const { boxes } of readTracks(content)) {
            h264Format.findRecord(boxes);
            aacFormat.findRecord(boxes);
          }
        }
        readSegment(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(MediaFormatError);
      }
    }),
    { numRuns: 1000 },
  );
});
