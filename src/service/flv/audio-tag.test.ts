import { describe, expect, it } from 'vitest';
import { aacFormat } from '../media/aac-format.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import { opusFormat } from '../media/opus-format.ts';
import { parseAudioTag } from './audio-tag.ts';
import { TagHeaderError } from './tag-header-error.ts';

const parse = (hex: string) => parseAudioTag(Buffer.from(hex, 'hex'));

describe('parseAudioTag', () => {
  it('reads AAC sequence headers and frames', () => {
    expect(parse('af001210')).toEqual({ kind: 'sequence-header', format: aacFormat, record: Buffer.from('1210', 'hex') });
    expect(parse('af0121')).toEqual({ kind: 'frame', format: aacFormat, data: Buffer.from('21', 'hex') });
  });

  it('reads them under Enhanced RTMP headers', () => {
    const mp4a = Buffer.from('mp4a').toString('hex');
    expect(parse(`90${mp4a}1190`)).toEqual({ kind: 'sequence-header', format: aacFormat, record: Buffer.from('1190', 'hex') });
    expect(parse(`91${mp4a}21`)).toEqual({ kind: 'frame', format: aacFormat, data: Buffer.from('21', 'hex') });
    expect(parse(`92${mp4a}`)).toEqual({ kind: 'end-of-sequence' });
    expect(parse(`94${mp4a}010200000003`)).toEqual({ kind: 'nothing' });
  });

  it('reads Opus', () => {
    const opus = Buffer.from('Opus').toString('hex');
    expect(parse(`90${opus}aa`)).toEqual({ kind: 'sequence-header', format: opusFormat, record: Buffer.of(0xaa) });
    expect(parse(`91${opus}f8fffe`)).toEqual({ kind: 'frame', format: opusFormat, data: Buffer.from('f8fffe', 'hex') });
    expect(parse(`94${opus}010100000004`)).toEqual({ kind: 'nothing' });
  });

  it.each([
    ['PCM', '0f'],
    ['ADPCM', '1f'],
    ['MP3', '2f'],
    ['PCM', '3f'],
    ['Nellymoser', '4f'],
    ['Nellymoser', '5f'],
    ['Nellymoser', '6f'],
    ['G.711 A-law', '7f'],
    ['G.711 mu-law', '8f'],
    ['Speex', 'bf'],
    ['Format 12', 'cf'],
    ['MP3', 'ef'],
    ['FLAC', '90664c6143'],
    ['AC-3', '9061632d33'],
    ['E-AC-3', '9065632d33'],
    ['MP3', '902e6d7033'],
    ['Unknown Enhanced RTMP', '903f3f3f3f'],
    ['Multitrack', '95006d70346100'],
    ['ModEx', '970200000001'],
  ])('names %s, which is not supported (%s)', (what, hex) => {
    expect(parse(hex)).toEqual({ kind: 'unsupported', what });
  });

  it.each(['', 'af', '90', '936d703461'])('rejects "%s" as a broken header', (hex) => {
    expect(() => parse(hex)).toThrow(TagHeaderError);
  });

  it('refuses an unknown packet type', () => {
    expect(() => parse('af02')).toThrow(MediaFormatError);
  });
});
