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

const containers = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'mvex', 'moof', 'traf'];

/** The boxes that hold no others, each with what it holds, in hexadecimal digits. */
function listFields(bytes: Buffer, path = ''): string[] {
  return readBoxes(bytes).flatMap(({ type, content }) =>
    containers.includes(type) ? listFields(content, `${path}${type} `) : [`${path}${type}: ${content.toString('hex')}`],
  );
}

/** Fields as they are listed, without the spaces that divide them here. */
const joinWords = (text: string) => {
  const [path = '', fields = ''] = text.includes(':') ? text.split(': ') : ['', text];
  return `${path}${path === '' ? '' : ': '}${fields.replaceAll(' ', '')}`;
};

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

  it('says what players need in every field', () => {
    const matrix = '00010000 0000000000000000 00000000 00010000 0000000000000000 00000000 40000000';
    const zeros = (words: number) => Array(words).fill('00000000').join(' ');
    const tables = [
      `moov trak mdia minf stbl stts: ${zeros(2)}`,
      `moov trak mdia minf stbl stsc: ${zeros(2)}`,
      `moov trak mdia minf stbl stsz: ${zeros(3)}`,
      `moov trak mdia minf stbl stco: ${zeros(2)}`,
    ];
    const reference = `moov trak mdia minf dinf dref: ${zeros(1)} 00000001 0000000c 75726c20 00000001`;
    const head = `${zeros(1)} 00000001`;
    const entry = '000000000000 0001';
    const avcC = `00000035 61766343 ${video.record.toString('hex')}`;
    const esds =
      '00000033 65736473 00000000 0380808022 000000 0480808014 4015000000 00000000 00000000 0580808002 1190 0680808001 02';
    expect(listFields(formatInitSegment({ video, audio }))).toEqual(
      [
        'ftyp: 69736f36 00000000 69736f36 6d703431 61766331',
        `moov mvhd: ${zeros(3)} 000003e8 00000000 00010000 0100 0000 ${zeros(2)} ${matrix} ${zeros(6)} 00000003`,
        `moov trak tkhd: 00000007 ${zeros(2)} 00000001 ${zeros(4)} 0000 0000 0000 0000 ${matrix} 04170000 02400000`,
        `moov trak mdia mdhd: ${zeros(3)} 00015f90 00000000 55c4 0000`,
        `moov trak mdia hdlr: ${zeros(2)} 76696465 ${zeros(3)} 766964656f00`,
        `moov trak mdia minf vmhd: 00000001 ${zeros(2)}`,
        reference,
        `moov trak mdia minf stbl stsd: ${head} 0000009b 61766331 ${entry} ${zeros(4)} 02d0 0240 00480000 00480000 00000000 0001 ${zeros(8)} 0018 ffff ${avcC} 00000010 70617370 00000010 0000000b`,
        ...tables,
        `moov trak tkhd: 00000007 ${zeros(2)} 00000002 ${zeros(4)} 0000 0000 0100 0000 ${matrix} ${zeros(2)}`,
        `moov trak mdia mdhd: ${zeros(3)} 0000bb80 00000000 55c4 0000`,
        `moov trak mdia hdlr: ${zeros(2)} 736f756e ${zeros(3)} 617564696f00`,
        `moov trak mdia minf smhd: ${zeros(2)}`,
        reference,
        `moov trak mdia minf stbl stsd: ${head} 00000057 6d703461 ${entry} ${zeros(2)} 0002 0010 0000 0000 bb800000 ${esds}`,
        ...tables,
        `moov mvex trex: 00000000 00000001 00000001 ${zeros(3)}`,
        `moov mvex trex: 00000000 00000002 00000001 ${zeros(3)}`,
      ].map(joinWords),
    );
  });

  it('leaves out a sample rate that its field cannot hold: decoders read the configuration', () => {
    const fast = aacFormat.parseRecord(Buffer.from('1010', 'hex'));
    expect(fast.timescale).toBe(96_000);
    const stsd = listFields(formatInitSegment({ audio: fast })).find((field) => field.includes(' stsd:'));
    expect(stsd).toContain(joinWords('0002 0010 0000 0000 00000000 00000033 65736473'));
  });

  it.each([
    ['video', { video }],
    ['audio', { audio }],
  ])('has one track if there is only %s', (_, tracks) => {
    const moov = findBox(formatInitSegment(tracks), 'moov') ?? Buffer.alloc(0);
    expect(readBoxes(moov).map(({ type }) => type)).toEqual(['mvhd', 'trak', 'mvex']);
    expect(readBoxes(findBox(moov, 'mvex') ?? Buffer.alloc(0))).toHaveLength(1);
  });

  it.each([
    [720, 15, 11, 982],
    [720, 12, 11, 785],
    [60_000, 2, 1, 65_535],
  ])('shows %i samples of %i:%i as %i pixels, as many as its field holds', (width, horizontal, vertical, pixels) => {
    const init = formatInitSegment({ video: { ...video, width, sampleAspect: { horizontal, vertical } } });
    expect(findBox(init, 'moov', 'trak', 'tkhd')?.readUInt32BE(76)).toBe(pixels * 65_536);
  });

  it('says nothing of the aspect of square samples', () => {
    const init = formatInitSegment({ video: { ...video, sampleAspect: { horizontal: 1, vertical: 1 } } });
    expect(init.includes('pasp')).toBe(false);
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
    expect(listFields(segment)).toEqual(
      [
        'styp: 6d736468 00000000 6d736468 69736f36',
        'moof mfhd: 00000000 00000007',
        'moof traf tfhd: 00020000 00000001',
        'moof traf tfdt: 01000000 00000002 00000005',
        // Two samples; where they begin; then duration, size, flags and composition offset of each.
        'moof traf trun: 01000f01 00000002 000000d0 00000bb8 00000003 02000000 00001770 00000bb8 00000005 01010000 fffff448',
        'moof traf tfhd: 00020000 00000002',
        'moof traf tfdt: 01000000 00000000 0000bb80',
        'moof traf trun: 01000f01 00000001 000000d8 00000400 00000005 02000000 00000000',
        `mdat: ${Buffer.from('keylatersound').toString('hex')}`,
      ].map(joinWords),
    );
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
