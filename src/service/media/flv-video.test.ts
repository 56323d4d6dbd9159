import { describe, expect, it } from 'vitest';
import { parseVideoTag } from './flv-video.ts';
import { MediaFormatError } from './media-format-error.ts';

const parse = (hex: string) => parseVideoTag(Buffer.from(hex, 'hex'));

describe('parseVideoTag', () => {
  it('reads AVC sequence headers, frames with signed composition times, and ends', () => {
    expect(parse('1700000000aabb')).toEqual({ kind: 'sequence-header', record: Buffer.from('aabb', 'hex') });
    expect(parse('1701000042cc')).toEqual({
      kind: 'frame',
      keyframe: true,
      compositionTimeMs: 66,
      data: Buffer.from('cc', 'hex'),
    });
    expect(parse('2701ffffffcc')).toMatchObject({ kind: 'frame', keyframe: false, compositionTimeMs: -1 });
    expect(parse('1702000000')).toEqual({ kind: 'end-of-sequence' });
    expect(parse('5700')).toEqual({ kind: 'info' });
  });

  it('names a codec that is not carried', () => {
    expect(parse('1c00')).toEqual({ kind: 'unsupported', codec: 'HEVC' });
    expect(parse('22')).toEqual({ kind: 'unsupported', codec: 'Sorenson H.263' });
    expect(parse('1f')).toEqual({ kind: 'unsupported', codec: 'Codec 15' });
  });

  it.each(['', '17', '17010000', '1707000000'])('refuses "%s"', (hex) => {
    expect(() => parse(hex)).toThrow(MediaFormatError);
  });
});
