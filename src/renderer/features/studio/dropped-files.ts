import { findEnding, pictureEndings, soundEndings, videoEndings } from '../../../shared/file-endings.ts';
import { type Mixed, mixSound } from './mix-sounds.ts';
import { choosePicture, type SourceDraft } from './source-draft.ts';
import { nameFiles } from './source-names.ts';

/**
 * The draft with dropped files: a picture becomes the still, sound files are added to the mix, and anything else, even a GIF, since it may
 * move, is played as a picture after the files already there. The fault says which of them aren't used.
 */
export function dropFiles(draft: SourceDraft, paths: readonly string[]): Mixed {
  const stills = paths.filter(isStill);
  const sounds = paths.filter(isSound);
  const videos = paths.filter((path) => !isStill(path) && !isSound(path));
  const mixed = sounds.length === 0 ? { draft } : mixSound(draft, { kind: 'files', paths: sounds, loops: true });
  const [still, ...others] = stills;
  const unused = videos.length > 0 ? stills : others;
  const fault =
    unused.length === 0 ? undefined : `Not used: ${nameFiles(unused)}. Drop one still picture at a time, without a video.`;
  return { ...(fault !== undefined && { fault }), ...mixed, draft: dropPictures(mixed.draft, videos, still) };
}

function isStill(path: string): boolean {
  const ending = findEnding(path);
  return pictureEndings.has(ending) && !videoEndings.has(ending);
}

function isSound(path: string): boolean {
  return soundEndings.has(findEnding(path));
}

function dropPictures(draft: SourceDraft, videos: readonly string[], still: string | undefined): SourceDraft {
  if (videos.length > 0) {
    const files = choosePicture(draft, 'files');
    if (files.picture.kind !== 'files') return files;
    const before = files.picture.paths.filter((path) => path.trim() !== '');
    return { ...files, picture: { ...files.picture, paths: [...before, ...videos] } };
  }
  return still === undefined ? draft : { ...choosePicture(draft, 'still'), picture: { kind: 'still', path: still } };
}
