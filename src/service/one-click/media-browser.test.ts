import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drivesFolder } from '../../shared/model/views.ts';
import { PendingAnswers } from '../lib/pending-answers.ts';
import { browseFolder } from './media-browser.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-browse-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  return rm(folder, { recursive: true });
});

test('lists folders first, then media files, without hidden and other files', async () => {
  await mkdir(join(folder, 'zoo'));
  await mkdir(join(folder, 'Archive'));
  await mkdir(join(folder, '.cache'));
  await writeFile(join(folder, 'show.mp4'), 'twelve bytes');
  await writeFile(join(folder, 'Clip.MKV'), '');
  await writeFile(join(folder, 'notes.txt'), '');
  await writeFile(join(folder, '.hidden.mp4'), '');
  await symlink(join(folder, 'nowhere.mp4'), join(folder, 'broken.mp4'));
  expect(await browseFolder(folder, 'video')).toEqual({
    folder,
    parent: tmpdir(),
    entries: [
      { name: 'Archive', path: join(folder, 'Archive'), kind: 'folder' },
      { name: 'zoo', path: join(folder, 'zoo'), kind: 'folder' },
      { name: 'Clip.MKV', path: join(folder, 'Clip.MKV'), kind: 'file', sizeBytes: 0 },
      { name: 'show.mp4', path: join(folder, 'show.mp4'), kind: 'file', sizeBytes: 12 },
    ],
  });
});

test.each([
  ['video', ['clip.mp4', 'moving.gif']],
  ['picture', ['logo.png', 'moving.gif']],
  ['sound', ['clip.mp4', 'moving.gif', 'song.mp3']],
] as const)('lists what %s is chosen from', async (of, names) => {
  for (const name of ['clip.mp4', 'logo.png', 'moving.gif', 'notes.txt', 'song.mp3']) await writeFile(join(folder, name), '');
  expect((await browseFolder(folder, of)).entries.map(({ name }) => name)).toEqual(names);
});

test('a folder that does not exist is an error that names it', async () => {
  await expect(browseFolder(join(folder, 'gone'), 'video')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    details: { pathFault: { code: 'gone', of: 'folder', path: join(folder, 'gone') } },
  });
});

test('a folder that cannot be read is an error that says so', async () => {
  const cause = Object.assign(new Error(), { code: 'EACCES' });
  const { drives } = createDrives([]);
  const readFolder = new PendingAnswers<never>(() => Promise.reject(cause));
  await expect(browseFolder(folder, 'video', { ...drives, readFolder })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    details: { pathFault: { code: 'unreadable', of: 'folder', path: folder } },
    cause,
  });
});

test.skipIf(process.platform === 'win32')('the root has no parent', async () => {
  expect(await browseFolder('/', 'video')).not.toHaveProperty('parent');
});

test('a video is listed among any number of other files', async () => {
  const others = Array.from({ length: 2_000 }, (_, index) => writeFile(join(folder, `a${index}.jpg`), ''));
  await Promise.all([...others, writeFile(join(folder, 'show.mp4'), '')]);
  expect((await browseFolder(folder, 'video')).entries.map(({ name }) => name)).toEqual(['show.mp4']);
});

test('a folder is listed before any number of files', async () => {
  const files = Array.from({ length: 2_000 }, (_, index) => writeFile(join(folder, `a${index}.mp4`), ''));
  await Promise.all([...files, mkdir(join(folder, 'zoo'))]);
  const { entries } = await browseFolder(folder, 'video');
  expect([entries.length, entries[0]?.name]).toEqual([2_000, 'zoo']);
});

/** Drives of which these paths don't answer, and all others do at once; `asked` is what was asked about. */
function createDrives(dead: readonly string[]) {
  const asked: string[] = [];
  const unlessDead = <Answer>(answer: (path: string) => Answer) =>
    new PendingAnswers<Answer>(async (path) => {
      asked.push(path);
      return dead.includes(path) ? await new Promise<never>(() => {}) : answer(path);
    });
  const readFolder = unlessDead((path) => readdirSync(path, { withFileTypes: true }));
  const readText = unlessDead((path) => readFileSync(path, 'utf8'));
  const look = unlessDead((path) => statSync(path));
  return { asked, drives: { readFolder, readText, look, answerWithinMs: 50, platform: process.platform } };
}

/** A computer with Windows: each of its drives has one folder, Clips. */
function createWindows(letters: string) {
  const withDrive = async <Answer>(path: string, answer: () => Answer) => {
    if (letters.includes(path.charAt(0))) return answer();
    throw Object.assign(new Error(), { code: 'ENOENT' });
  };
  const clips = join(folder, 'drive', 'Clips');
  return {
    readFolder: new PendingAnswers((path) =>
      withDrive(path, () => readdirSync(path.endsWith(':\\') ? dirname(clips) : clips, { withFileTypes: true })),
    ),
    readText: new PendingAnswers((path) => withDrive(path, () => '')),
    look: new PendingAnswers((path) => withDrive(path, () => statSync(clips))),
    answerWithinMs: 5_000,
    platform: 'win32' as const,
  };
}

test("on Windows, above a drive's root are the drives that are there", async () => {
  await mkdir(join(folder, 'drive', 'Clips'), { recursive: true });
  const windows = createWindows('CE');
  const clips = { name: 'Clips', path: 'C:\\Clips', kind: 'folder' };
  expect(await browseFolder('C:\\Clips', 'video', windows)).toEqual({ folder: 'C:\\Clips', parent: 'C:\\', entries: [] });
  expect(await browseFolder('C:\\', 'video', windows)).toEqual({ folder: 'C:\\', parent: drivesFolder, entries: [clips] });
  expect(await browseFolder(drivesFolder, 'video', windows)).toEqual({
    folder: drivesFolder,
    entries: ['C:\\', 'E:\\'].map((root) => ({ name: root, path: root, kind: 'folder' })),
  });
  expect(await browseFolder('\\\\nas\\shows\\', 'video', createWindows('\\'))).toMatchObject({ parent: drivesFolder });
});

// On Windows only administrators can make symbolic links.
test.skipIf(process.platform === 'win32')(
  'a link to a drive that does not answer is left out, and what follows it is listed the next time',
  async () => {
    await writeFile(join(folder, 'show.mp4'), '');
    for (const name of ['a-nas', 'b-shows']) await symlink(tmpdir(), join(folder, name));
    const { drives, asked } = createDrives([join(folder, 'a-nas')]);
    const list = async () => (await browseFolder(folder, 'video', drives)).entries.map(({ name }) => name);
    expect(await list()).toEqual(['show.mp4']);
    expect(await list()).toEqual(['b-shows', 'show.mp4']);
    expect(await list()).toEqual(['b-shows', 'show.mp4']);
    expect(asked.filter((path) => path.endsWith('a-nas'))).toHaveLength(1);
  },
);

test('files whose drive answers no more are listed without their size, and wait for one answer at a time', async () => {
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4']) await writeFile(join(folder, name), 'four');
  const { drives, asked } = createDrives([join(folder, 'b.mp4')]);
  const { entries } = await browseFolder(folder, 'video', drives);
  expect(entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
    ['a.mp4', 4],
    ['b.mp4', undefined],
    ['c.mp4', undefined],
  ]);
  expect(asked).toEqual([folder, join(folder, 'a.mp4'), join(folder, 'b.mp4')]);
});

test('a folder whose drive does not answer is an error that says so, and is asked once however often it is opened', async () => {
  const nas = resolve('/nas');
  const { drives, asked } = createDrives([nas]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await expect(browseFolder(nas, 'video', drives)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { pathFault: { code: 'drive-silent', of: 'folder', path: nas } },
    });
  }
  expect(asked).toEqual([nas]);
});

test.skipIf(process.platform === 'win32').each([
  ['named in the language of the desktop', 'XDG_MUSIC_DIR="$HOME/Musique"\nXDG_VIDEOS_DIR="$HOME/Vidéos"', 'Vidéos'],
  ['with a sign that the desktop escaped', 'XDG_VIDEOS_DIR="$HOME/my \\"films\\""', 'my "films"'],
  ['with its usual name, if the desktop has none', 'XDG_VIDEOS_DIR="$HOME/"', 'Videos'],
  ['with its usual name, if that of the desktop is gone', 'XDG_VIDEOS_DIR="/nowhere/Vidéos"', 'Videos'],
])('starts in the folder for videos %s', async (_how, userDirs, name) => {
  vi.stubEnv('HOME', folder);
  vi.stubEnv('XDG_CONFIG_HOME', undefined);
  for (const made of ['.config', 'Vidéos', 'my "films"', 'Videos']) await mkdir(join(folder, made));
  await writeFile(join(folder, '.config', 'user-dirs.dirs'), `# Written by xdg-user-dirs-update\n${userDirs}\n`);
  expect((await browseFolder(undefined, 'video')).folder).toBe(join(folder, name));
});

test.skipIf(process.platform === 'win32')("a home that does not answer is asked once for the desktop's folders", async () => {
  vi.stubEnv('HOME', folder);
  vi.stubEnv('XDG_CONFIG_HOME', undefined);
  const userDirs = join(folder, '.config', 'user-dirs.dirs');
  const { asked, drives } = createDrives([userDirs]);
  const starts = await Promise.all([1, 2].map(() => browseFolder(undefined, 'video', drives)));
  expect(asked.filter((path) => path === userDirs)).toEqual([userDirs]);
  expect(starts.map((start) => start.folder)).toEqual([folder, folder]);
});

test('a start folder whose drive does not answer is passed over', async () => {
  const { drives } = createDrives(['Videos', 'Movies'].map((name) => join(homedir(), name)));
  expect((await browseFolder(undefined, 'video', drives)).folder).toBe(homedir());
});
