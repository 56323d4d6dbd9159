import { describe, expect, it } from 'vitest';
import { parseAudioTag } from './flv-audio.ts';
import { MediaFormatError } from './media-format-error.ts';

const parse = (hex: string) => parseAudioTag(Buffer.from(hex, 'hex'));

describe('parseAudioTag', () => {
  it('reads AAC sequence headers and frames', () => {
    expect(parse('af001210')).toEqual({ kind: 'sequence-header', config: Buffer.from('1210', 'hex') });
    expect(parse('af0121')).toEqual({ kind: 'frame', data: Buffer.from('21', 'hex') });
  });

  it('names a codec that is not carried', () => {
    expect(parse('2f00')).toEqual({ kind: 'unsupported', codec: 'MP3' });
    expect(parse('d0')).toEqual({ kind: 'unsupported', codec: 'Format 13' });
  });

  it.each(['', 'af', 'af02'])('refuses "%s"', (hex) => {
    expect(() => parse(hex)).toThrow(MediaFormatError);
  });
});
