import { describe, expect, it } from 'vitest';
import { readSegment } from '../../../test/support/read-segment.ts';
import { aacFormat } from './aac-format.ts';
import { formatInitSegment } from './fmp4-init.ts';
import { findBox, readBoxes } from './fmp4-reader.ts';
import { formatFragment } from './fmp4-segment.ts';
import { h264Format } from './h264-format.ts';

const video = h264Format.parseRecord(
  Buffer.from('0164001effe100186764001eacd940b424d8208000000300800000194f8a14cb01000668fba3cb22c0fdf8f800', 'hex'),
);
const audio = aacFormat.parseRecord(Buffer.from('1190', 'hex'));

describe('formatInitSegment', () => {
  it('describes both tracks', () => {
    const init = formatInitSegment({ video, audio });
    expect(readBoxes(init).map(({ type }) => type)).toEqual(['ftyp', 'moov']);
    const moov = findBox(init, 'moov') ?? Buffer.alloc(0);
    expect(readBoxes(moov).map(({ type }) => type)).toEqual(['mvhd', 'trak', 'trak', 'mvex']);
    expect(findBox(moov, 'trak', 'mdia', 'mdhd')?.readUInt32BE(12)).toBe(90_000);
    // tkhd: 720 samples of 16:11 are shown 1047 pixels wide.
    const tkhd = findBox(moov, 'trak', 'tkhd');
    expect([tkhd?.readUInt32BE(76), tkhd?.readUInt32BE(80)]).toEqual([1047 * 65536, 576 * 65536]);
    const avc1 = findBox(moov, 'trak', 'mdia', 'minf', 'stbl', 'stsd')?.subarray(8);
    const entry = readBoxes(avc1 ?? Buffer.alloc(0))[0];
    expect([entry?.type, entry?.content.readUInt16BE(24), entry?.content.readUInt16BE(26)]).toEqual(['avc1', 720, 576]);
    expect(readBoxes(entry?.content.subarray(78) ?? Buffer.alloc(0))).toEqual([
      { type: 'avcC', position: 0, content: video.record },
      { type: 'pasp', position: 53, content: Buffer.from('000000100000000b', 'hex') },
    ]);
    const sound = readBoxes(moov)[2]?.content ?? Buffer.alloc(0);
    const mp4a = readBoxes(findBox(sound, 'mdia', 'minf', 'stbl', 'stsd')?.subarray(8) ?? Buffer.alloc(0))[0];
    expect([mp4a?.type, mp4a?.content.readUInt16BE(16), mp4a?.content.readUInt32BE(24)]).toEqual(['mp4a', 2, 48000 * 65536]);
    expect(findBox(mp4a?.content.subarray(28) ?? Buffer.alloc(0), 'esds')?.toString('hex')).toBe(
      '00000000' +
        '0380808022' +
        '000000' +
        '0480808014' +
        '4015000000' +
        '00000000' +
        '00000000' +
        '0580808002' +
        '1190' +
        '0680808001' +
        '02',
    );
  });

  it('has one track for audio without video', () => {
    expect(readBoxes(findBox(formatInitSegment({ audio }), 'moov') ?? Buffer.alloc(0)).map(({ type }) => type)).toEqual([
      'mvhd',
      'trak',
      'mvex',
    ]);
  });
});

describe('formatFragment', () => {
  const sample = (text: string, duration: number, compositionOffset: number, sync: boolean) => ({
    data: Buffer.from(text),
    duration,
    compositionOffset,
    sync,
  });

  it('is styp, moof, mdat, and parses back to the same samples', () => {
    const videoSamples = [sample('key', 3000, 6000, true), sample('later', 3000, -3000, false)];
    const audioSamples = [sample('sound', 1024, 0, true)];
    const tracks = [
      { trackId: 1, baseDecodeTime: 2 ** 33 + 5, samples: videoSamples },
      { trackId: 2, baseDecodeTime: 48_000, samples: audioSamples },
    ];
    const segment = formatFragment(7, tracks, { segmentStarts: true });
    expect(readBoxes(segment).map(({ type }) => type)).toEqual(['styp', 'moof', 'mdat']);
    const part = formatFragment(7, tracks, { segmentStarts: false });
    expect(readBoxes(part).map(({ type }) => type)).toEqual(['moof', 'mdat']);
    expect([...readSegment(part)]).toEqual([...readSegment(segment)]);
    expect(findBox(segment, 'moof', 'mfhd')?.toString('hex')).toBe('00000000' + '00000007');
    expect(findBox(segment, 'mdat')?.toString()).toBe('keylatersound');
    const start = 2 ** 33 + 5;
    expect([...readSegment(segment)]).toEqual([
      [
        1,
        [
          { ...videoSamples[0], dts: start },
          { ...videoSamples[1], dts: start + 3000 },
        ],
      ],
      [2, [{ ...audioSamples[0], dts: 48_000 }]],
    ]);
  });
});
