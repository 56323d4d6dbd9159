import { expect, test } from 'vitest';
import { type Source, testSource } from '../../../shared/model/source.ts';
import { mixSound, suggestMicrophone } from './mix-sounds.ts';
import { asInput, choosePicture, fromSource } from './source-draft.ts';

const song = (path: string) => ({ kind: 'files' as const, paths: [path], loops: true });
const draft = { ...fromSource(testSource), sounds: [asInput(song('/music/song.mp3'))] };

test('the same sound is not mixed twice, and a seventh sound is refused', () => {
  expect(mixSound(draft, song('/music/song.mp3'))).toEqual({
    draft,
    fault: '“song.mp3” is in the mix already. Choose another sound, or change the level of that one.',
  });
  const two = mixSound(draft, song('/b.mp3'));
  expect(two).toEqual({ draft: { ...draft, sounds: [...draft.sounds, asInput(song('/b.mp3'))] } });
  const full = { ...draft, sounds: [1, 2, 3, 4, 5, 6].map((index) => asInput(song(`/${index}.mp3`))) };
  expect(mixSound(full, song('/7.mp3'))).toEqual({ draft: full, fault: 'A mix has at most 6 sounds. Remove one first.' });
});

test('a sound with more files than the service takes is refused', () => {
  const many = { kind: 'files' as const, paths: Array.from({ length: 201 }, (_, index) => `/${index}.mp3`), loops: true };
  expect(mixSound(draft, many)).toEqual({
    draft,
    fault: 'A sound has at most 200 files. Choose fewer, or add them as several sounds.',
  });
  expect(mixSound(draft, { ...many, paths: many.paths.slice(1) }).fault).toBeUndefined();
});

test('a microphone that a page captures is not captured twice', () => {
  const page = (captureId: string, id: string) => {
    const device = { place: 'browser', id };
    return { kind: 'page' as const, captureId, of: 'microphone' as const, name: 'Mic', device };
  };
  const once = mixSound(draft, page('c1', 'm')).draft;
  expect(mixSound(once, page('c2', 'm')).fault).toMatch(/^“Mic” is in the mix already/);
  expect(mixSound(once, page('c2', 'n')).fault).toBeUndefined();
});

const microphones = [
  { id: 'a', name: 'Line in' },
  { id: 'b', name: 'Headset', isDefault: true, isMuted: false },
];

test('a source that went on air without a sound gets no microphone until another picture is chosen', () => {
  const unheard: Source = {
    picture: { main: { kind: 'screen', device: { id: '1', name: 'Screen' } } },
    sound: { inputs: [], limits: false, isUnchosen: true },
  };
  const restored = fromSource(unheard);
  expect(suggestMicrophone(restored, microphones)).toBe(restored);
  expect(suggestMicrophone(choosePicture(restored, 'camera'), microphones).sounds).toHaveLength(1);
});

test('a screen, a window or a camera begins with the default microphone, which may be removed', () => {
  const onScreen = choosePicture(fromSource(testSource), 'screen');
  const suggested = suggestMicrophone(onScreen, microphones);
  expect(suggested.sounds).toEqual([asInput({ kind: 'microphone', device: { id: 'b', name: 'Headset' } })]);
  // Not again once it was removed, nor beside another sound, nor of a computer without any.
  const removed = { ...suggested, sounds: [] };
  expect(suggestMicrophone(removed, microphones)).toBe(removed);
  const withSong = mixSound(onScreen, song('/a.mp3')).draft;
  expect(suggestMicrophone(withSong, microphones).sounds).toEqual(withSong.sounds);
  const withoutSong = { ...withSong, sounds: [] };
  expect(suggestMicrophone(withoutSong, microphones)).toBe(withoutSong);
  expect(suggestMicrophone(onScreen, [])).toBe(onScreen);
  expect(suggestMicrophone(onScreen, microphones.slice(0, 1)).sounds).toMatchObject([{ of: { device: { id: 'a' } } }]);
  expect(suggestMicrophone(choosePicture(onScreen, 'still'), microphones).sounds).toEqual([]);
  // It goes with the picture, unless it was changed.
  expect(choosePicture(suggested, 'camera').sounds).toEqual(suggested.sounds);
  expect(choosePicture(suggested, 'files').sounds).toEqual([asInput({ kind: 'of-picture' })]);
  for (const change of [{ levelDb: -6 }, { isMuted: true }]) {
    const changed = { ...suggested, sounds: suggested.sounds.map((input) => ({ ...input, ...change })) };
    expect(choosePicture(changed, 'files').sounds).toEqual(changed.sounds);
  }
});
