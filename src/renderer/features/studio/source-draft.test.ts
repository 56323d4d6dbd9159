import { expect, test } from 'vitest';
import { loopedFile } from '../../../../test/support/looped-file.ts';
import { type Source, testSource } from '../../../shared/model/source.ts';
import {
  asInput,
  choosePicture,
  fromSource,
  parseTime,
  rememberPicture,
  type SourceDraft,
  toPreviewedSource,
  toSource,
} from './source-draft.ts';

const camera = { id: '/dev/video0', name: 'Cam' };
const everything: Source = {
  picture: {
    main: { kind: 'page', captureId: 'c1', of: 'screen', name: 'Screen' },
    inset: { of: { kind: 'camera', device: camera }, corner: 'bottom-right', share: 0.25 },
  },
  sound: {
    inputs: [
      { of: { kind: 'microphone', device: { id: 'm', name: 'Mic' } }, levelDb: -6, isMuted: false },
      { of: { kind: 'page', captureId: 'c1', of: 'system', name: 'System' }, levelDb: 0, isMuted: true },
    ],
    limits: true,
  },
};
const unheardCamera: Source = {
  picture: { main: { kind: 'camera', device: camera } },
  sound: { inputs: [], limits: false, isUnchosen: true },
};
const playlist: Source = {
  picture: { main: { kind: 'files', paths: ['/a.mp4', '/b.mp4'], loops: false, startAtSeconds: 3_605.5 } },
  sound: { inputs: [asInput({ kind: 'of-picture' })], limits: false },
};

test.each([
  ['the test picture', testSource],
  ['a looped file', loopedFile('/show.mp4')],
  ['a playlist that starts later', playlist],
  ['a still', { ...testSource, picture: { main: { kind: 'still', path: '/a.png' } } } as Source],
  ['a window', { ...testSource, picture: { main: { kind: 'window', device: camera } } } as Source],
  ['a page capture with a camera in a corner', everything],
  ['a camera without sound, because there was none to suggest', unheardCamera],
  ['a camera whose sound was removed', { ...unheardCamera, sound: { inputs: [], limits: false } }],
])('%s survives being changed and chosen again', (_what, source) => {
  expect(toSource(fromSource(source))).toEqual({ source });
});

test('paths are read as pasted', () => {
  const quoted = '"C:\\My clips\\a.mp4"';
  const path = 'C:\\My clips\\a.mp4';
  const sourceOf = (picture: SourceDraft['picture']) => toSource({ ...fromSource(testSource), picture });
  expect(sourceOf({ kind: 'still', path: quoted })).toMatchObject({ source: { picture: { main: { kind: 'still', path } } } });
  expect(sourceOf({ kind: 'files', paths: [quoted, `\u202a${path} `], loops: true, startAt: '' })).toMatchObject({
    source: { picture: { main: { kind: 'files', paths: [path, path] } } },
  });
});

test.each<[string, Partial<SourceDraft>, string]>([
  ['files without a path', { picture: { kind: 'files', paths: [' '], loops: true, startAt: '' } }, 'no-file'],
  ['too many files', { picture: { kind: 'files', paths: Array(201).fill('/a'), loops: true, startAt: '' } }, 'too-many-files'],
  ['a start that is no time', { picture: { kind: 'files', paths: ['/a'], loops: true, startAt: 'soon' } }, 'bad-start'],
  ['a still without a path', { picture: { kind: 'still', path: '' } }, 'no-still'],
  ['no screen', { picture: { kind: 'screen', from: undefined } }, 'no-device'],
  ['no camera in the corner', { inset: { from: undefined, corner: 'top-left', share: 0.25 } }, 'no-inset'],
])('%s is no source yet', (_what, changes, fault) => {
  expect(toSource({ ...fromSource(testSource), ...changes })).toEqual({ fault });
});

test('a draft whose corner has no camera yet is previewed without it', () => {
  const draft = fromSource(everything);
  const { inset: _, ...picture } = everything.picture;
  expect(toPreviewedSource(draft)).toEqual(everything);
  const waiting = { from: undefined, corner: 'top-left', share: 0.25 } as const;
  expect(toPreviewedSource({ ...draft, inset: waiting })).toEqual({ ...everything, picture });
  expect(toPreviewedSource({ ...draft, picture: { kind: 'screen', from: undefined } })).toBeUndefined();
});

test('files that play once are previewed again and again', () => {
  const files = (loops: boolean) => ({ kind: 'files' as const, paths: ['/show.mp4'], loops, startAtSeconds: 5 });
  const source = (loops: boolean): Source => ({ ...testSource, picture: { main: files(loops) } });
  expect(toPreviewedSource(fromSource(source(false)))).toEqual(source(true));
  expect(toSource(fromSource(source(false)))).toEqual({ source: source(false) });
});

test("the sound in the picture's files comes and goes with them; others stay", () => {
  const draft = fromSource(loopedFile('/show.mp4'));
  const onCamera = choosePicture(draft, 'camera');
  expect(onCamera).toEqual({
    picture: { kind: 'camera', from: undefined },
    inset: undefined,
    sounds: [],
    limits: false,
    wantsSound: true,
  });
  const onFiles = choosePicture(onCamera, 'files');
  expect(onFiles.picture).toEqual({ kind: 'files', paths: [], loops: true, startAt: '' });
  expect(onFiles.sounds).toEqual([asInput({ kind: 'of-picture' })]);
  expect(choosePicture(onCamera, 'test-picture').sounds).toEqual([asInput({ kind: 'test-tone' })]);
  const withMicrophone = { ...fromSource(everything), sounds: everything.sound.inputs };
  expect(choosePicture(withMicrophone, 'files').sounds).toEqual(everything.sound.inputs);
  expect(choosePicture(withMicrophone, 'camera').inset).toBeUndefined();
  expect(choosePicture(draft, 'files')).toBe(draft);
});

test('each card keeps what was chosen, and a camera leaves the corner for later', () => {
  const files = fromSource(playlist);
  const corner: SourceDraft['inset'] = { from: { by: 'service', device: camera }, corner: 'top-left', share: 0.2 };
  const withCorner = { ...files, inset: corner };
  const kept = rememberPicture({ pictures: {}, inset: undefined }, withCorner);
  const onCamera = choosePicture(withCorner, 'camera', kept);
  expect([onCamera.picture, onCamera.inset]).toEqual([{ kind: 'camera', from: undefined }, undefined]);
  const chosen: SourceDraft = { ...onCamera, picture: { kind: 'camera', from: { by: 'service', device: camera } } };
  const both = rememberPicture(kept, chosen);
  expect(choosePicture(chosen, 'files', both)).toEqual(withCorner);
  expect(choosePicture(withCorner, 'camera', both).picture).toEqual(chosen.picture);
});

test('times are seconds, minutes and hours', () => {
  expect(['', '90', ' 1:30 ', '1:02:03.5', '0:07'].map(parseTime)).toEqual([0, 90, 90, 3723.5, 7]);
  expect(['-1', '1:', ':5', '1:2:3:4', 'x', '1,5'].map(parseTime)).toEqual(Array(6).fill(undefined));
});

test.each([
  [0, ''],
  [7, '0:07'],
  [59.9, '0:59.9'],
  [65.25, '1:05.25'],
  [3_600, '60:00'],
])('a start at %d s is shown as “%s”', (startAtSeconds, startAt) => {
  const source = {
    ...playlist,
    picture: { main: { kind: 'files', paths: ['/a.mp4'], loops: true, startAtSeconds } },
  } as Source;
  expect(fromSource(source).picture).toEqual({ kind: 'files', paths: ['/a.mp4'], loops: true, startAt });
});
