import { ServiceError } from '../../shared/errors.ts';
import type { PathFault } from '../../shared/model/path-fault.ts';
import { codeOf } from '../lib/read-error.ts';

/** The system's codes for a path with nothing at it. */
const goneCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** A file can't be used: SOURCE_FAILED. A folder can't: NOT_FOUND. */
export function pathError(fault: PathFault, cause?: unknown): ServiceError {
  const code = fault.of === 'file' ? 'SOURCE_FAILED' : 'NOT_FOUND';
  return new ServiceError(code, `The ${fault.of} can't be used: ${JSON.stringify(fault)}`, {
    details: { pathFault: fault },
    cause,
  });
}

/** The error for a file or folder that wasn't found. @param cause the system's error, or that of a signal that timed out */
export function unreadError(of: PathFault['of'], path: string, cause: unknown): ServiceError {
  if (cause instanceof Error && cause.name === 'TimeoutError') return pathError({ code: 'drive-silent', of, path }, cause);
  return pathError({ code: goneCodes.has(codeOf(cause)) ? 'gone' : 'unreadable', of, path }, cause);
}
