import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { ServiceError } from '../../shared/errors.ts';
import type { FolderListing } from '../../shared/model/views.ts';

/** Extensions of files that usually have video that ffmpeg reads. */
const mediaEndings = new Set(
  '.mp4 .m4v .mov .mkv .webm .flv .avi .ts .m2ts .mts .mpg .mpeg .wmv .ogv .3gp .mxf .vob .gif .y4m .f4v'.split(' '),
);
/** A folder with more entries is cut short: nobody reads further. */
const maxEntries = 2_000;

/**
 * Lists a folder of this computer for choosing a media file: folders first, then media files, each by name. Hidden and unreadable
 * entries are left out.
 *
 * @param folder an absolute path; without one, the user's video folder, or home if there is none
 * @throws {ServiceError} NOT_FOUND if it is not a readable folder
 */
export async function browseFolder(folder: string | undefined): Promise<FolderListing> {
  const path = folder === undefined ? await findStartFolder() : resolve(homedir(), folder);
  const names = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EACCES' || error.code === 'EPERM' ? 'cannot be read' : 'does not exist';
    throw new ServiceError('NOT_FOUND', `The folder ${path} ${why}.`, { cause: error });
  });
  const visible = names.filter(({ name }) => !name.startsWith('.')).slice(0, maxEntries);
  const entries = (await Promise.all(visible.map(({ name }) => describeEntry(path, name)))).filter(
    (entry) => entry !== undefined,
  );
  entries.sort((a, b) => (a.kind === b.kind ? a.name.localeCompare(b.name) : a.kind === 'folder' ? -1 : 1));
  const parent = dirname(path);
  return { folder: path, ...(parent === path ? {} : { parent }), entries };
}

async function describeEntry(folder: string, name: string): Promise<FolderListing['entries'][number] | undefined> {
  const path = join(folder, name);
  // Links are followed: what counts is their target.
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return { name, path, kind: 'folder' };
  if (found?.isFile() && mediaEndings.has(extname(name).toLowerCase()))
    return { name, path, kind: 'file', sizeBytes: found.size };
  return undefined;
}

async function findStartFolder(): Promise<string> {
  for (const name of ['Videos', 'Movies']) {
    const path = join(homedir(), name);
    if (
      await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      )
    )
      return path;
  }
  return homedir();
}
