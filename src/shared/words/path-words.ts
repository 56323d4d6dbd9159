import { assertNever } from '../assert-never.ts';
import type { PathFault } from '../model/path-fault.ts';

/** Why a file or folder can't be used, and what to do, in a sentence or two. */
export function describePathFault(fault: PathFault): string {
  const { of, path } = fault;
  switch (fault.code) {
    case 'gone':
      return of === 'file'
        ? `There is no file ${path}. Check its full path, or browse to it.`
        : `The folder ${path} does not exist.`;
    case 'unreadable':
      return of === 'file'
        ? `The file ${path} cannot be read. Check its drive and the permissions of its folder, or choose another file.`
        : `The folder ${path} cannot be read.`;
    case 'drive-silent':
      return of === 'file'
        ? `The drive of ${path} doesn't answer. Reconnect it, or choose another file.`
        : `The folder ${path} doesn't answer. Its drive or network may be gone.`;
    case 'not-a-file':
      return `${path} is not a file. Choose a media file.`;
    default:
      return assertNever(fault);
  }
}
