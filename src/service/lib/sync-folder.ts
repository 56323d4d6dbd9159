import { open } from 'node:fs/promises';
import { codeOf } from './read-error.ts';

/** Error codes for a folder whose file system can't sync folders, or that we may write to but not open. */
const cannot = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM']);

/**
 * Syncs a folder, so that a power failure loses no file that was created in it; each file has to be synced itself. Not for Windows,
 * where a folder can't be opened.
 *
 * @throws the error of a disk that fails
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    if (!cannot.has(codeOf(error) ?? '')) throw error;
  }
}
