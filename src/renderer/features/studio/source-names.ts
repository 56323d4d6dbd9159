import { fileName } from '../../../shared/file-name.ts';
import { isolateName } from '../../../shared/isolate-name.ts';
import type { PictureSource, SoundSource, Source } from '../../../shared/model/source.ts';

/** A source in short: what viewers see, and what else it has. */
export function describeSource({ picture: { main, inset }, sound }: Source): { label: string; note: string } {
  const notes = [
    ...(inset === undefined ? [] : [`with ${namePicture(inset.of)}`]),
    sound.inputs.length === 0 ? 'silent' : sound.inputs.map(({ of }) => isolateName(nameSound(of))).join(', '),
  ];
  return { label: namePicture(main), note: notes.join(' · ') };
}

/** The name of a picture. */
function namePicture(picture: PictureSource): string {
  switch (picture.kind) {
    case 'test-picture':
      return 'Test picture';
    case 'files':
      return nameFiles(picture.paths);
    case 'still':
      return fileName(picture.path);
    case 'page':
      return picture.name;
    default:
      return picture.device.name;
  }
}

/** The name of a sound. */
export function nameSound(sound: SoundSource): string {
  switch (sound.kind) {
    case 'test-tone':
      return 'Test tone';
    case 'of-picture':
      return 'Sound of the files';
    case 'files':
      return nameFiles(sound.paths);
    case 'page':
      return sound.name;
    default:
      return sound.device.name;
  }
}

/** Files by the name of the first, and how many more there are. */
export function nameFiles([first = '', ...others]: readonly string[]): string {
  const name = fileName(first);
  return others.length === 0 ? name : `${isolateName(name)} and ${others.length} more`;
}
