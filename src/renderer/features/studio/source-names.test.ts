import { expect, test } from 'vitest';
import { loopedFile } from '../../../../test/support/looped-file.ts';
import { type SoundInput, type Source, testSource } from '../../../shared/model/source.ts';
import { describeSource } from './source-names.ts';

const microphone = { of: { kind: 'microphone', device: { id: 'm', name: 'Blue Mic' } }, levelDb: 0, isMuted: false } as const;
const music: SoundInput = { of: { kind: 'files', paths: ['/a.ogg', '/b.ogg'], loops: true }, levelDb: 0, isMuted: false };
const shared = {
  of: { kind: 'page', captureId: 'c', of: 'system', name: 'System sound' },
  levelDb: 0,
  isMuted: false,
} as const;

test.each<[Source, { label: string; note: string }]>([
  [testSource, { label: 'Test picture', note: 'Test tone' }],
  [loopedFile('/home/me/show.mp4'), { label: 'show.mp4', note: 'Sound of the files' }],
  [
    { picture: { main: { kind: 'files', paths: ['C:\\a.mp4', 'b', 'c'], loops: true } }, sound: { inputs: [], limits: false } },
    { label: 'a.mp4 and 2 more', note: 'silent' },
  ],
  [
    { picture: { main: { kind: 'files', paths: ['/שיר 1', '/b'], loops: true } }, sound: { inputs: [], limits: false } },
    { label: '\u2068שיר 1\u2069 and 1 more', note: 'silent' },
  ],
  [
    { picture: { main: { kind: 'still', path: '/logo.png' } }, sound: { inputs: [music], limits: false } },
    { label: 'logo.png', note: 'a.ogg and 1 more' },
  ],
  [
    {
      picture: {
        main: { kind: 'page', captureId: 'c', of: 'window', name: 'Paint' },
        inset: { of: { kind: 'camera', device: { id: 'v', name: 'Cam' } }, corner: 'top-left', share: 0.2 },
      },
      sound: { inputs: [microphone, shared], limits: true },
    },
    { label: 'Paint', note: 'with Cam · Blue Mic, System sound' },
  ],
  [
    {
      picture: { main: { kind: 'test-picture' } },
      sound: { inputs: ['שיר', 'דיבור'].map((name) => ({ ...shared, of: { ...shared.of, name } })), limits: false },
    },
    { label: 'Test picture', note: '\u2068שיר\u2069, \u2068דיבור\u2069' },
  ],
])('a source in short %#', (source, words) => {
  expect(describeSource(source)).toEqual(words);
});
