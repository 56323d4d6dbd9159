import { describe, expect, it } from 'vitest';
import { parseAudioTag } from './flv-audio.ts';
import { MediaFormatError } from './media-format-error.ts';

const parse = (hex: string) => parseAudioTag(Buffer.from(hex, 'hex'));
const mp4a = Buffer.from('mp4a').toString('hex');

describe('parseAudioTag', () => {
  it('reads AAC sequence headers and frames', () => {
    expect(parse('af001210')).toEqual({ kind: 'sequence-header', config: Buffer.from('1210', 'hex') });
    expect(parse('af0121')).toEqual({ kind: 'frame', data: Buffer.from('21', 'hex') });
  });

  it('reads AAC under the extended header', () => {
    expect(parse(`90${mp4a}1210`)).toEqual({ kind: 'sequence-header', config: Buffer.from('1210', 'hex') });
    expect(parse(`91${mp4a}21`)).toEqual({ kind: 'frame', data: Buffer.from('21', 'hex') });
    expect(parse(`92${mp4a}`)).toEqual({ kind: 'end-of-sequence' });
  });

  it('names a codec that is not carried', () => {
    expect(parse('2f00')).toEqual({ kind: 'unsupported', codec: 'MP3' });
    expect(parse(`90${Buffer.from('Opus').toString('hex')}`)).toEqual({ kind: 'unsupported', codec: 'Opus' });
    expect(parse('d0')).toEqual({ kind: 'unsupported', codec: 'audio codec 13' });
  });

  it.each(['', 'af', 'af02', '90', `95${mp4a}`])('refuses "%s"', (hex) => {
    expect(() => parse(hex)).toThrow(MediaFormatError);
  });
});
