import { asInput, choosePicture, type SourceDraft } from './source-draft.ts';

const pictureEnding = /\.(png|jpe?g|webp|bmp|tiff?|avif)$/i;
const soundEnding = /\.(mp3|m4a|aac|og[ga]|opus|flac|wav|aiff?|wma|mka|ac3)$/i;

/**
 * The draft with dropped files: a picture becomes the still, sound files are added to the mix, and anything else is played as a picture,
 * after the files that are there.
 */
export function dropFiles(draft: SourceDraft, paths: readonly string[]): SourceDraft {
  const [still] = paths.filter((path) => pictureEnding.test(path));
  const sounds = paths.filter((path) => soundEnding.test(path));
  const videos = paths.filter((path) => !pictureEnding.test(path) && !soundEnding.test(path));
  const withSounds: SourceDraft =
    sounds.length === 0
      ? draft
      : { ...draft, sounds: [...draft.sounds, asInput({ kind: 'files', paths: sounds, loops: true })] };
  if (videos.length > 0) {
    const files = choosePicture(withSounds, 'files');
    if (files.picture.kind !== 'files') return files;
    const before = files.picture.paths.filter((path) => path.trim() !== '');
    return { ...files, picture: { ...files.picture, paths: [...before, ...videos] } };
  }
  return still === undefined ? withSounds : { ...choosePicture(withSounds, 'still'), picture: { kind: 'still', path: still } };
}
