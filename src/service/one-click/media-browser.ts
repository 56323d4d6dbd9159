import type { Dirent, Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { findEnding, pictureEndings, soundEndings, videoEndings } from '../../shared/file-endings.ts';
import { drivesFolder, type FileKind, type FolderListing } from '../../shared/model/views.ts';
import { PendingAnswers } from '../lib/pending-answers.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import { findDesktopFolder } from './desktop-folder.ts';
import { unreadError } from './path-error.ts';

/** The endings of files by what they are chosen for. Sound is also taken from videos. */
const endings: Readonly<Record<FileKind, ReadonlySet<string>>> = {
  video: videoEndings,
  picture: pictureEndings,
  sound: new Set([...soundEndings, ...videoEndings]),
};
/** A longer listing of folders and files of a kind is cut off: nobody reads further. */
const maxEntries = 2_000;
/** Every working drive answers sooner. */
const answerWithinMs = 5_000;

/** How the drives of this computer are asked. */
interface Drives {
  readFolder: PendingAnswers<Dirent[]>;
  readText: PendingAnswers<string>;
  look: PendingAnswers<Stats>;
  answerWithinMs: number;
  platform: NodeJS.Platform;
}

const ownDrives: Drives = {
  readFolder: new PendingAnswers((path) => readdir(path, { withFileTypes: true })),
  readText: new PendingAnswers((path) => readFile(path, 'utf8')),
  look: new PendingAnswers((path) => stat(path)),
  answerWithinMs,
  platform: process.platform,
};

/** The roots that drives of Windows have. */
const driveRoots = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`);

/**
 * Lists a folder of this computer for choosing a file: folders first, then files of a kind, each by name. Hidden and unreadable
 * entries are left out, and so are links to a drive that doesn't answer within 5 s; files of one have no size. Above the roots of Windows
 * are the drives.
 *
 * @param folder an absolute path or {@link drivesFolder}; without one, the user's folder for such files, or home if there is none
 * @throws {ServiceError} NOT_FOUND, with a `pathFault`, if it is not a readable folder
 */
export async function browseFolder(
  folder: string | undefined,
  of: FileKind,
  drives: Drives = ownDrives,
): Promise<FolderListing> {
  const { readFolder, answerWithinMs: withinMs, platform } = drives;
  const isWindows = platform === 'win32';
  if (isWindows && folder === drivesFolder) return listDrives(drives);
  const { dirname, join, resolve } = isWindows ? win32 : posix;
  const path = folder === undefined ? await findStartFolder(of, drives) : resolve(homedir(), folder);
  const names = await untilAborted(readFolder.ask(path), AbortSignal.timeout(withinMs)).catch((error: unknown) => {
    throw unreadError('folder', path, error);
  });
  const visible = names
    .filter((entry) => !entry.name.startsWith('.') && mayBeListed(entry, of))
    // Folders first: a cut listing must keep the way to files that it leaves out.
    .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1))
    .slice(0, maxEntries);
  const pathsOf = (some: readonly Dirent[]) => some.map(({ name }) => join(path, name));
  // Links may lead to other drives, which must not take the time for the files of this one.
  const answers = await Promise.all([
    lookAt(pathsOf(visible.filter((entry) => entry.isSymbolicLink())), drives),
    lookAt(pathsOf(visible.filter((entry) => !entry.isSymbolicLink() && !entry.isDirectory())), drives),
  ]);
  const found = new Map(answers.flatMap((each) => [...each]));
  const entries = visible
    .map((entry) => describeEntry(join(path, entry.name), entry, of, found))
    .filter((entry) => entry !== undefined);
  entries.sort((a, b) => (a.kind === b.kind ? a.name.localeCompare(b.name) : a.kind === 'folder' ? -1 : 1));
  const parent = dirname(path);
  if (parent !== path) return { folder: path, parent, entries };
  return { folder: path, ...(isWindows && { parent: drivesFolder }), entries };
}

/** The drives that are there and answer in time; those after one that doesn't are listed the next time. */
async function listDrives(drives: Drives): Promise<FolderListing> {
  const answers = await lookAt(driveRoots, drives);
  const roots = driveRoots.filter((root) => answers.get(root)?.isDirectory());
  return { folder: drivesFolder, entries: roots.map((path) => ({ name: path, path, kind: 'folder' })) };
}

/** Whether it is a folder or a file of this kind, judged by its name and type; the target of a link isn't known yet. */
function mayBeListed(entry: Dirent, of: FileKind): boolean {
  return !entry.isFile() || endings[of].has(findEnding(entry.name));
}

/**
 * The files and folders at these paths: one after another, paths with an unanswered earlier request last. Paths that don't answer in time
 * are absent. `undefined`: there is nothing at the path, or nothing that we may see.
 */
async function lookAt(
  paths: readonly string[],
  { look, answerWithinMs: withinMs }: Drives,
): Promise<Map<string, Stats | undefined>> {
  const signal = AbortSignal.timeout(withinMs);
  const found = new Map<string, Stats | undefined>();
  const waitsLast = paths.toSorted((one, other) => Number(look.isPending(one)) - Number(look.isPending(other)));
  for (const path of waitsLast) {
    const answer = await untilAborted(look.ask(path), signal).catch(() => undefined);
    if (signal.aborted) break;
    found.set(path, answer);
  }
  return found;
}

function describeEntry(
  path: string,
  entry: Dirent,
  of: FileKind,
  answers: ReadonlyMap<string, Stats | undefined>,
): FolderListing['entries'][number] | undefined {
  const { name } = entry;
  // Don't look further: a drive that is mounted there may not answer.
  if (entry.isDirectory()) return { name, path, kind: 'folder' };
  // The listing has its kind; only the size is missing.
  if (entry.isFile() && !answers.has(path)) return { name, path, kind: 'file' };
  // Links count as their targets.
  const found = answers.get(path);
  if (found?.isDirectory()) return { name, path, kind: 'folder' };
  if (found?.isFile() && endings[of].has(findEnding(name))) return { name, path, kind: 'file', sizeBytes: found.size };
  return undefined;
}

/** The usual names of the folders for each kind. */
const startFolders: Readonly<Record<FileKind, readonly string[]>> = {
  video: ['Videos', 'Movies'],
  picture: ['Pictures'],
  sound: ['Music'],
};

async function findStartFolder(of: FileKind, { readText, look, answerWithinMs: withinMs }: Drives): Promise<string> {
  const read = (path: string) => untilAborted(readText.ask(path), AbortSignal.timeout(withinMs)).catch(() => '');
  const named = await findDesktopFolder(of, read);
  const usual = startFolders[of].map((name) => join(homedir(), name));
  for (const path of named === undefined ? usual : [named, ...usual]) {
    // The folder may be a link to another drive.
    const found = await untilAborted(look.ask(path), AbortSignal.timeout(withinMs)).catch(() => undefined);
    if (found?.isDirectory()) return path;
  }
  return homedir();
}
