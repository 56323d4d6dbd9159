import { type BrokenFileFault, findBrokenFile } from '../../shared/broken-file.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { AwayPart } from '../../shared/model/capture.ts';
import type { EncodeFailure } from '../../shared/model/encode-failure.ts';

const failures: Readonly<Record<BrokenFileFault, EncodeFailure>> = {
  'no-video': { code: 'no-video-track' },
  'file-gone': { code: 'file-gone' },
  'file-forbidden': { code: 'file-forbidden' },
  'file-is-folder': { code: 'file-is-folder' },
  'file-unreadable': { code: 'file-unreadable' },
};

/** Why a source can't go live: the files of its picture can't be read. */
export function findSourceFailure(away: readonly AwayPart[]): EncodeFailure | undefined {
  const fault = away.map(findBrokenFile).find((found) => found !== undefined);
  return fault && failures[fault];
}

/** @throws {ServiceError} SOURCE_FAILED when the files of a source's picture can't be read */
export function refuseBroken(away: readonly AwayPart[]): void {
  const failure = findSourceFailure(away);
  if (failure) throw new ServiceError('SOURCE_FAILED', 'The source has no picture.', { details: { encodeFailure: failure } });
}
