import { isOfBrokenFile } from '../../../shared/broken-file.ts';
import type { OneClickState } from '../../../shared/model/live.ts';
import { readPastedPath } from '../../../shared/trim-pasted.ts';
import type { PictureDraft } from './source-draft.ts';

/**
 * The picture without the files that failed, so that another can be chosen; undefined if the failure isn't of a file, or if something else
 * was chosen since. A list fails only if none of its files can be played.
 */
export function removeFailedFiles(
  picture: PictureDraft,
  { failure, source }: Pick<Extract<OneClickState, { kind: 'failed' }>, 'failure' | 'source'>,
): PictureDraft | undefined {
  const { main } = source.picture;
  if (!isOfBrokenFile(failure)) return undefined;
  if (picture.kind === 'files' && main.kind === 'files') {
    const paths = picture.paths.filter((path) => !main.paths.includes(readPastedPath(path)));
    return paths.length < picture.paths.length ? { ...picture, paths } : undefined;
  }
  return picture.kind === 'still' && main.kind === 'still' && readPastedPath(picture.path) === main.path
    ? { ...picture, path: '' }
    : undefined;
}
