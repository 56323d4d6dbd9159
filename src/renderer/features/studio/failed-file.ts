import { isOfBrokenFile } from '../../../shared/broken-file.ts';
import type { OneClickState } from '../../../shared/model/live.ts';
import type { PictureDraft } from './source-draft.ts';

/**
 * The picture without the file that failed, so that another can be chosen; undefined if the failure isn't of a file, or if a picture of
 * another kind was chosen since.
 */
export function removeFailedFile(
  picture: PictureDraft,
  { failure, source }: Pick<Extract<OneClickState, { kind: 'failed' }>, 'failure' | 'source'>,
): PictureDraft | undefined {
  if (!isOfBrokenFile(failure) || picture.kind !== source.picture.main.kind) return undefined;
  if (picture.kind === 'files') return { ...picture, paths: [] };
  return picture.kind === 'still' ? { ...picture, path: '' } : undefined;
}
