import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { browseFolder } from './media-browser.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-browse-'));
});

afterEach(() => rm(folder, { recursive: true }));

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
    message: `The folder ${join(folder, 'gone')} does not exist.`,
  });
});

test('the root has no parent', async () => {
  expect(await browseFolder('/', 'video')).not.toHaveProperty('parent');
});

test('a video is listed among any number of other files', async () => {
  const others = Array.from({ length: 2_000 }, (_, index) => writeFile(join(folder, `a${index}.jpg`), ''));
  await Promise.all([...others, writeFile(join(folder, 'show.mp4'), '')]);
  expect((await browseFolder(folder, 'video')).entries.map(({ name }) => name)).toEqual(['show.mp4']);
});
