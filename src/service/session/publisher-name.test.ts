import { expect, test } from 'vitest';
import { namePublisher } from './publisher-name.ts';

test.each([
  ['obs-output module (libobs version 29.0.2.1-1+b1)', 'OBS Studio 29.0.2'],
  ['obs-output module (libobs version 27.5.27sl20)', 'Streamlabs Desktop'],
  ['Lavf59.27.100', 'FFmpeg'],
  ['FMLE/3.0 (compatible; Lavf59.27.100)', 'FFmpeg'],
  ['  Wirecast\n13.1 ', 'Wirecast'],
  ['بث', 'بث'],
  ['GStreamer 1.22.0 FLV muxer', 'GStreamer 1.22.0'],
  ['Wirecast/FM 1.0 (compatible; FMSc/1.0)', 'Wirecast'],
  ['FMLE/3.0 (compatible; Tallylight)', 'Tallylight'],
  ['FMLE/3.0 (compatible; FMSc/1.0)', undefined],
  // GStreamer, librtmp
  ['LNX 10,0,32,18', undefined],
  ['WIN 15,0,0,239', undefined],
  ['\u0000 \u202e', undefined],
  [undefined, undefined],
])('%s is called %s', (text, name) => {
  expect(namePublisher(text)).toBe(name);
});

test('a name of any length is short, and cut between whole characters', () => {
  expect(namePublisher('😀'.repeat(200))).toBe('😀'.repeat(60));
});
