import { describe, expect, it } from 'vitest';
import { av1Format } from '../media/av1-format.ts';
import { h264Format } from '../media/h264-format.ts';
import { hevcFormat } from '../media/hevc-format.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import { TagHeaderError } from './tag-header-error.ts';
import { parseVideoTag } from './video-tag.ts';

const parse = (hex: string) => parseVideoTag(Buffer.from(hex, 'hex'));

describe('parseVideoTag', () => {
  it('reads AVC sequence headers, frames with signed composition times, and ends', () => {
    expect(parse('1700000000aabb')).toEqual({
      kind: 'sequence-header',
      format: h264Format,
      record: Buffer.from('aabb', 'hex'),
    });
    expect(parse('1701000042cc')).toEqual({
      kind: 'frame',
      format: h264Format,
      keyframe: true,
      compositionTimeMs: 66,
      data: Buffer.from('cc', 'hex'),
    });
    expect(parse('2701ffffffcc')).toMatchObject({ kind: 'frame', keyframe: false, compositionTimeMs: -1 });
    expect(parse('1702000000')).toEqual({ kind: 'end-of-sequence' });
    expect(parse('5700')).toEqual({ kind: 'nothing' });
    // A command says nothing about the codec.
    expect(parse('5200')).toEqual({ kind: 'nothing' });
  });

  it('reads them under Enhanced RTMP headers', () => {
    const frame = { kind: 'frame', format: h264Format, data: Buffer.of(0xcc) };
    const avc1 = Buffer.from('avc1').toString('hex');
    expect(parse(`90${avc1}aa`)).toEqual({ kind: 'sequence-header', format: h264Format, record: Buffer.of(0xaa) });
    expect(parse(`91${avc1}000042cc`)).toEqual({ ...frame, keyframe: true, compositionTimeMs: 66 });
    expect(parse(`a1${avc1}ffffffcc`)).toEqual({ ...frame, keyframe: false, compositionTimeMs: -1 });
    expect(parse(`a3${avc1}cc`)).toEqual({ ...frame, keyframe: false, compositionTimeMs: 0 });
    expect(parse(`92${avc1}`)).toEqual({ kind: 'end-of-sequence' });
    expect(parse(`94${avc1}02`)).toEqual({ kind: 'nothing' });
    expect(parse(`d4${avc1}02`)).toEqual({ kind: 'nothing' });
    expect(parse('d100')).toEqual({ kind: 'nothing' });
  });

  it('reads HEVC, with a composition time unless it is 0', () => {
    const frame = { kind: 'frame', format: hevcFormat, data: Buffer.of(0xcc) };
    const hvc1 = Buffer.from('hvc1').toString('hex');
    expect(parse(`90${hvc1}aa`)).toEqual({ kind: 'sequence-header', format: hevcFormat, record: Buffer.of(0xaa) });
    expect(parse(`91${hvc1}000042cc`)).toEqual({ ...frame, keyframe: true, compositionTimeMs: 66 });
    expect(parse(`a3${hvc1}cc`)).toEqual({ ...frame, keyframe: false, compositionTimeMs: 0 });
  });

  it('reads AV1, which has no composition times', () => {
    const frame = { kind: 'frame', format: av1Format, compositionTimeMs: 0, data: Buffer.of(0xcc) };
    const av01 = Buffer.from('av01').toString('hex');
    expect(parse(`90${av01}aa`)).toEqual({ kind: 'sequence-header', format: av1Format, record: Buffer.of(0xaa) });
    expect(parse(`91${av01}cc`)).toEqual({ ...frame, keyframe: true });
    expect(parse(`a1${av01}cc`)).toEqual({ ...frame, keyframe: false });
    expect(parse(`a3${av01}cc`)).toEqual({ ...frame, keyframe: false });
  });

  it.each([
    ['JPEG', '11'],
    ['Sorenson H.263', '12'],
    ['Screen video', '13'],
    ['VP6', '14'],
    ['VP6 with alpha', '15'],
    ['Screen video 2', '16'],
    ['H.263', '18'],
    ['MPEG-4 Part 2', '19'],
    ['Legacy HEVC', '1c00'],
    ['Legacy AV1', '1d'],
    ['Codec 15', '1f'],
    ['VP9', '9076703039'],
    ['VP8', '9076703038'],
    ['VVC', '9076766331'],
    ['Unknown Enhanced RTMP', '903f3f3f3f'],
    ['Multitrack', '96006176633100'],
    ['ModEx', '970200000001'],
  ])('names %s, which is not supported (%s)', (what, hex) => {
    expect(parse(hex)).toEqual({ kind: 'unsupported', what });
  });

  it.each(['', '17', '17010000', '90617663', '91617663310000', '9561766331'])('rejects "%s" as a broken header', (hex) => {
    expect(() => parse(hex)).toThrow(TagHeaderError);
  });

  it('refuses an unknown packet type', () => {
    expect(() => parse('1707000000')).toThrow(MediaFormatError);
  });
});
