import { expect, test } from 'vitest';
import { loopedFile, testSource } from '../../../shared/model/source.ts';
import { dropFiles } from './dropped-files.ts';
import { asInput, fromSource } from './source-draft.ts';

const music = asInput({ kind: 'files', paths: ['/song.mp3', '/tune.OGG'], loops: true });
const tone = asInput({ kind: 'test-tone' });

test('dropped videos are played after those that are there', () => {
  expect(dropFiles(fromSource(loopedFile('/a.mp4')), ['/b.mkv', '/c']).picture).toMatchObject({
    paths: ['/a.mp4', '/b.mkv', '/c'],
  });
  expect(dropFiles(fromSource(testSource), ['/b.mkv'])).toEqual(fromSource(loopedFile('/b.mkv')));
});

test('a dropped picture becomes the still, and dropped sound is mixed in', () => {
  expect(dropFiles(fromSource(testSource), ['/logo.PNG', '/song.mp3', '/tune.OGG'])).toEqual({
    picture: { kind: 'still', path: '/logo.PNG' },
    inset: undefined,
    sounds: [music],
    limits: false,
  });
  expect(dropFiles(fromSource(testSource), ['/song.mp3', '/tune.OGG']).sounds).toEqual([tone, music]);
});
