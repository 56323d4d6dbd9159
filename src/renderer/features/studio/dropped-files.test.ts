import { expect, test } from 'vitest';
import { loopedFile } from '../../../../test/support/looped-file.ts';
import { testSource } from '../../../shared/model/source.ts';
import { dropFiles } from './dropped-files.ts';
import { asInput, fromSource } from './source-draft.ts';

const music = asInput({ kind: 'files', paths: ['/song.mp3', '/tune.OGG'], loops: true });
const tone = asInput({ kind: 'test-tone' });

test('dropped videos are played after those that are there', () => {
  expect(dropFiles(fromSource(loopedFile('/a.mp4')), ['/b.mkv', '/c']).draft.picture).toMatchObject({
    paths: ['/a.mp4', '/b.mkv', '/c'],
  });
  expect(dropFiles(fromSource(testSource), ['/b.mkv'])).toEqual({ draft: fromSource(loopedFile('/b.mkv')) });
});

test('a dropped GIF is played, since it may move', () => {
  expect(dropFiles(fromSource(testSource), ['/b.gif'])).toEqual({ draft: fromSource(loopedFile('/b.gif')) });
});

test('a dropped picture becomes the still, and dropped sound is mixed in', () => {
  expect(dropFiles(fromSource(testSource), ['/logo.PNG', '/song.mp3', '/tune.OGG']).draft).toEqual({
    picture: { kind: 'still', path: '/logo.PNG' },
    inset: undefined,
    sounds: [music],
    limits: false,
  });
  expect(dropFiles(fromSource(testSource), ['/song.mp3', '/tune.OGG']).draft.sounds).toEqual([tone, music]);
});

test('a picture that is dropped with a video or with another picture is named, since only one of them is shown', () => {
  const { picture } = fromSource(loopedFile('/a.mp4'));
  expect(dropFiles(fromSource(testSource), ['/a.png', '/a.mp4', '/b.png'])).toMatchObject({
    draft: { picture },
    fault: 'Not used: a.png and 1 more. Drop one still picture at a time, without a video.',
  });
  expect(dropFiles(fromSource(testSource), ['/a.png', '/b.png'])).toMatchObject({
    draft: { picture: { kind: 'still', path: '/a.png' } },
    fault: 'Not used: b.png. Drop one still picture at a time, without a video.',
  });
});

test('the same music dropped again is not mixed twice, and the picture beside it is taken', () => {
  const once = dropFiles(fromSource(testSource), ['/song.mp3']).draft;
  const again = dropFiles(once, ['/song.mp3', '/b.mkv']);
  expect(again.fault).toMatch(/^“song.mp3” is in the mix already/);
  expect(again.draft.picture).toMatchObject({ paths: ['/b.mkv'] });
  expect(again.draft.sounds).toHaveLength(1);
});
