import { type Mixed, mixSound } from './mix-sounds.ts';
import { choosePicture, type SourceDraft } from './source-draft.ts';

const pictureEnding = /\.(png|jpe?g|webp|bmp|tiff?|avif)$/i;
const soundEnding = /\.(mp3|m4a|aac|og[ga]|opus|flac|wav|aiff?|wma|mka|ac3)$/i;

/**
 * The draft with dropped files: a picture becomes the still, sound files are added to the mix, and anything else is played as a picture,
 * after the files that are there. With a fault, the sounds aren't added.
 */
export function dropFiles(draft: SourceDraft, paths: readonly string[]): Mixed {
  const [still] = paths.filter((path) => pictureEnding.test(path));
  const sounds = paths.filter((path) => soundEnding.test(path));
  const videos = paths.filter((path) => !pictureEnding.test(path) && !soundEnding.test(path));
  const mixed = sounds.length === 0 ? { draft } : mixSound(draft, { kind: 'files', paths: sounds, loops: true });
  return { ...mixed, draft: dropPictures(mixed.draft, videos, still) };
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
