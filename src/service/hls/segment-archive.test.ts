import { mkdir, mkdtemp, open, readdir, readFile, readlink, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { appendSegment, beginSegment, completeSegment } from '../../../test/support/append-segment.ts';
import { expectPrivate } from '../../../test/support/expect-private.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { createHttpServer } from '../http/http-server.ts';
import { playbackRoutes } from './hls-routes.ts';
import { MediaMemory } from './media-memory.ts';
import { openSegmentArchive, type SegmentFolder } from './segment-archive.ts';
import { SegmentStore } from './segment-store.ts';

const quickly = { interval: 1 };
let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-archive-'));
});
afterEach(() => rm(dataFolder, { recursive: true, force: true }));

const listFiles = async () =>
  (await readdir(dataFolder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'tallylight-run')
    .map(({ name }) => name);

function fill(store: SegmentStore, from: number, to: number): void {
  for (let msn = from; msn < to; msn += 1) appendSegment(store, packagedSegment({ bytes: Buffer.alloc(1000, msn) }));
}

/** A server whose stream `show` has the store as its source. */
async function serve(store: SegmentStore) {
  const app = createHttpServer({ log: pino({ level: 'silent' }) });
  const find = () => ({ kind: 'playable', multivariant: 'on-air', renditions: [{ name: 'source', store }] }) as const;
  await app.register(playbackRoutes({ find }), { prefix: '/hls' });
  return app;
}

it('what exceeds the memory bound goes to disk, readable by the user only, is served from there and deleted in the end', async () => {
  await writeFile(join(dataFolder, 'of-another-run'), '');
  const archive = await openSegmentArchive(dataFolder);
  const store = new SegmentStore({ windowSeconds: () => 40, folder: archive.createFolder(), memory: new MediaMemory(12_000) });
  fill(store, 0, 20);
  await vi.waitUntil(() => store.segments.slice(0, 8).every(({ path }) => path !== undefined), quickly);
  expect(store.segments).toHaveLength(20);
  expect(store.segments.filter(({ path }) => path === undefined)).toHaveLength(12);
  const { path = '' } = store.segments[3] ?? {};
  expect(await readFile(path)).toEqual(Buffer.alloc(1000, 3));
  expectPrivate(path, join(path, '..'));

  const app = await serve(store);
  const get = (range?: string) => app.inject({ url: '/hls/show/source/3.m4s', headers: range ? { range } : {} });
  expect((await get()).rawPayload).toEqual(Buffer.alloc(1000, 3));
  const part = await get('bytes=10-19');
  expect([part.statusCode, part.rawPayload, part.headers['content-range']]).toEqual([
    206,
    Buffer.alloc(10, 3),
    'bytes 10-19/1000',
  ]);
  expect((await get('bytes=1000-')).statusCode).toBe(416);

  // Nobody may ask any more for what left the window long ago.
  for (let msn = 20; msn < 70; msn += 1) {
    fill(store, msn, msn + 1);
    await vi.waitUntil(() => store.segments.slice(0, 8).every((segment) => segment.path !== undefined), quickly);
  }
  await vi.waitUntil(async () => !(await listFiles()).includes('3.m4s'), quickly);
  expect((await get()).statusCode).toBe(404);
  await archive.close();
  expect(await listFiles()).toEqual(['of-another-run']);
});

it('a live edge that is too large goes to disk up to its newest segments, and plays from there', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const store = new SegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory: new MediaMemory(4_000),
    maxEdgeBytes: 3_000,
  });
  for (let msn = 0; msn < 8; msn += 1) {
    fill(store, msn, msn + 1);
    await vi.waitUntil(() => store.segments.slice(0, -4).every(({ path }) => path !== undefined), quickly);
  }
  expect(store.segments.filter(({ path }) => path === undefined).map(({ msn }) => msn)).toEqual([4, 5, 6, 7]);
  const app = await serve(store);
  expect((await app.inject({ url: '/hls/show/source/1.m4s' })).rawPayload).toEqual(Buffer.alloc(1000, 1));
  expect((await app.inject({ url: '/hls/show/source/7-0.m4s' })).rawPayload).toEqual(Buffer.alloc(1000, 7));
  await archive.close();
});

it('HEAD reads nothing of a segment on disk', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const store = new SegmentStore({ windowSeconds: () => 40, folder: archive.createFolder(), memory: new MediaMemory(12_000) });
  fill(store, 0, 20);
  await vi.waitUntil(() => store.segments[3]?.path !== undefined, quickly);
  const file = await open(store.segments[3]?.path ?? '');
  const reading = vi.spyOn(Object.getPrototypeOf(file), 'createReadStream');
  await file.close();
  onTestFinished(() => reading.mockRestore());
  const app = await serve(store);
  const head = await app.inject({ method: 'HEAD', url: '/hls/show/source/3.m4s' });
  expect([head.statusCode, head.headers['content-length'], head.body, reading.mock.calls.length]).toEqual([200, '1000', '', 0]);
  await app.inject('/hls/show/source/3.m4s');
  expect(reading.mock.calls.length).toBe(1);
  await archive.close();
});

it('a segment that cannot be read just now is not said to be gone: players try again', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const store = new SegmentStore({ windowSeconds: () => 40, folder: archive.createFolder(), memory: new MediaMemory(12_000) });
  fill(store, 0, 20);
  await vi.waitUntil(() => store.segments[3]?.path !== undefined, quickly);
  const { path = '' } = store.segments[3] ?? {};
  const app = await serve(store);
  const get = async () => (await app.inject('/hls/show/source/3.m4s')).statusCode;
  await rm(path);
  // Like a file on a drive that fails: it is there, and can't be read as one.
  await mkdir(path);
  expect(await get()).toBe(500);
  await rmdir(path);
  expect(await get()).toBe(404);
  await archive.close();
});

it('parts that have left the playlist can be requested for as long again, however little memory there is', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const store = new SegmentStore({ windowSeconds: () => 40, folder: archive.createFolder(), memory: new MediaMemory(1_000) });
  for (let msn = 0; msn < 20; msn += 1) {
    fill(store, msn, msn + 1);
    await vi.waitUntil(() => store.segments.slice(0, -7).every(({ path }) => path !== undefined), quickly);
  }
  expect(store.segments).toHaveLength(20);
  // Of 2 s each: three target durations are in parts, and three more have been.
  expect(store.partSegments).toBe(3);
  const inParts = store.segments.filter(({ msn }) => store.findPart(msn, 0).kind === 'here').map(({ msn }) => msn);
  expect(inParts).toEqual([13, 14, 15, 16, 17, 18, 19]);
  await archive.close();
});

it('deletes at the start what an earlier run left', async () => {
  const before = await openSegmentArchive(dataFolder);
  await before.createFolder().write(7, [Buffer.from('left')]);
  expect(await listFiles()).toEqual(['7.m4s']);
  await openSegmentArchive(dataFolder);
  expect(await listFiles()).toEqual([]);
});

// On Windows only administrators can make symbolic links.
it.skipIf(process.platform === 'win32')(
  'deletes only what one of our runs has marked, at the start and at the end, and the folder only when it is empty',
  async () => {
    const segments = join(dataFolder, 'segments');
    const holidays = join(dataFolder, 'holidays');
    for (const folder of [join(segments, 'of-the-user'), holidays]) await mkdir(folder, { recursive: true });
    await writeFile(join(segments, 'of-the-user', 'film.mp4'), '');
    await writeFile(join(segments, 'notes.txt'), '');
    await writeFile(join(holidays, 'tallylight-run'), '');
    await writeFile(join(holidays, 'beach.jpg'), '');
    await symlink(holidays, join(segments, 'link'));
    // What has the name of our mark and is not one.
    await mkdir(join(segments, 'of-another-program', 'tallylight-run'), { recursive: true });
    await writeFile(join(segments, 'of-another-program', 'tallylight-run', 'race.mp4'), '');
    const before = await openSegmentArchive(dataFolder);
    await before.createFolder().write(7, [Buffer.from('left')]);
    const archive = await openSegmentArchive(dataFolder);
    await archive.createFolder().write(8, [Buffer.from('now')]);
    expect((await listFiles()).sort()).toEqual(['8.m4s', 'beach.jpg', 'film.mp4', 'notes.txt', 'race.mp4']);
    await archive.close();
    expect((await listFiles()).sort()).toEqual(['beach.jpg', 'film.mp4', 'notes.txt', 'race.mp4']);
    expect(await readlink(join(segments, 'link'))).toBe(holidays);
    await rm(segments, { recursive: true });
    const own = await openSegmentArchive(dataFolder);
    await own.createFolder().write(1, [Buffer.from('now')]);
    await own.close();
    expect(await readdir(dataFolder)).toEqual(['holidays']);
  },
);

it('if the segments folder is a file, or the data folder has vanished, only the write fails', async () => {
  await writeFile(join(dataFolder, 'segments'), 'of the user');
  const archive = await openSegmentArchive(dataFolder);
  await expect(archive.createFolder().write(1, [Buffer.from('now')])).rejects.toThrow(/ENOTDIR|ENOENT/);
  await archive.close();
  expect(await readFile(join(dataFolder, 'segments'), 'utf8')).toBe('of the user');
  await rm(dataFolder, { recursive: true });
  const second = await openSegmentArchive(dataFolder);
  await expect(second.createFolder().write(1, [Buffer.from('now')])).rejects.toThrow('ENOENT');
  await expect(stat(dataFolder)).rejects.toThrow('ENOENT');
  await second.close();
});

it('a folder that somebody deletes while it is in use is made again', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const folder = archive.createFolder();
  const path = await folder.write(1, [Buffer.from('one')]);
  await rm(join(path, '..'), { recursive: true });
  await folder.write(2, [Buffer.from('t'), Buffer.from('wo')]);
  expect(await listFiles()).toEqual(['2.m4s']);
  expect(await readFile(join(path, '..', '2.m4s'), 'utf8')).toBe('two');
  // With those above it.
  await rm(join(dataFolder, 'segments'), { recursive: true });
  await folder.write(3, [Buffer.from('three')]);
  expect(await listFiles()).toEqual(['3.m4s']);
  await archive.createFolder().write(4, [Buffer.from('four')]);
  await archive.close();
  expect(await readdir(dataFolder)).toEqual([]);
});

it('a full disk shortens the window, reports that once, and playback at the live edge continues', async () => {
  // On Linux a device reports it; elsewhere the test does. As on a disk that fills up, part of the file exists.
  const full = async (path: string, buffers: readonly Buffer[]) => {
    await writeFile(path, 'a part');
    if (process.platform === 'linux') return await writeFile('/dev/full', buffers);
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const archive = await openSegmentArchive(dataFolder, full);
  const said: { diskFull: boolean }[] = [];
  const store = new SegmentStore({
    windowSeconds: () => 200,
    folder: archive.createFolder(),
    memory: new MediaMemory(12_000),
    onShortened: (why) => said.push(why),
  });
  for (let msn = 0; msn < 40; msn += 1) {
    fill(store, msn, msn + 1);
    await new Promise((resolve) => setImmediate(resolve));
    await vi.waitUntil(() => store.segments.length <= 12, quickly);
    expect(store.segments.at(-1)?.msn).toBe(msn);
  }
  expect(said).toEqual([{ diskFull: true }]);
  expect(store.segments).toHaveLength(12);
  await vi.waitUntil(async () => (await listFiles()).length === 0, quickly);
  await archive.close();
});

it('a disk that is full keeps what fits on it, the newest', async () => {
  let files = 0;
  const archive = await openSegmentArchive(dataFolder, async (path, buffers) => {
    if (files >= 5) throw Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' });
    files += 1;
    await writeFile(path, buffers);
  });
  const folder = archive.createFolder();
  let writing = 0;
  const limited: SegmentFolder = {
    ...folder,
    async write(msn, buffers) {
      writing += 1;
      return await folder.write(msn, buffers).finally(() => {
        writing -= 1;
      });
    },
    async remove(path) {
      files -= 1;
      await folder.remove(path);
    },
  };
  const said: { diskFull: boolean }[] = [];
  const store = new SegmentStore({
    windowSeconds: () => 200,
    folder: limited,
    memory: new MediaMemory(12_000),
    onShortened: (why) => said.push(why),
  });
  const countOnDisk = () => store.segments.filter(({ path }) => path !== undefined).length;
  for (let msn = 0; msn < 60; msn += 1) {
    fill(store, msn, msn + 1);
    await vi.waitUntil(() => writing === 0, quickly);
    expect(store.segments.at(-1)?.msn).toBe(msn);
    if (msn > 20) expect(countOnDisk()).toBeGreaterThanOrEqual(3);
    // What waits for room on disk is in memory, up to twice the bound.
    expect(store.segments.length - countOnDisk()).toBeLessThanOrEqual(24);
  }
  expect(said).toEqual([{ diskFull: true }]);
  await archive.close();
});

/** A disk with this much room for segments beyond its reserve, unless the test or another program takes some. */
async function openOnDisk(roomBytes: number) {
  const disk = { roomBytes, looks: 0, nowMs: 0 };
  const reserveBytes = 2 * 1024 ** 3;
  const archive = await openSegmentArchive(dataFolder, undefined, {
    async statfs() {
      disk.looks += 1;
      const usedBytes = (await listFiles()).length * 1000;
      return { bsize: 1, blocks: 100 * reserveBytes, bavail: reserveBytes + disk.roomBytes - usedBytes };
    },
    nowMs: () => disk.nowMs,
  });
  const folder = archive.createFolder();
  let writing = 0;
  const write: SegmentFolder['write'] = async (msn, buffers) => {
    writing += 1;
    return await folder.write(msn, buffers).finally(() => {
      writing -= 1;
    });
  };
  const said: { diskFull: boolean }[] = [];
  const store = new SegmentStore({
    windowSeconds: () => 200,
    folder: { ...folder, write },
    memory: new MediaMemory(12_000),
    onShortened: (why) => said.push(why),
  });
  const countOnDisk = () => store.segments.filter(({ path }) => path !== undefined).length;
  /** Adds segments of 2 s, each once the disk has had its time. */
  const record = async (from: number, to: number) => {
    for (let msn = from; msn < to; msn += 1) {
      disk.nowMs += 2_000;
      fill(store, msn, msn + 1);
      await vi.waitUntil(async () => writing === 0 && (await listFiles()).length === countOnDisk(), quickly);
      expect(store.segments.at(-1)?.msn).toBe(msn);
    }
  };
  return { archive, disk, said, store, countOnDisk, record };
}

it('a reserve of the disk stays free: beyond it the oldest segments make room, and the window is shorter', async () => {
  const { archive, disk, said, countOnDisk, record } = await openOnDisk(6_000);
  await record(0, 40);
  expect(said).toEqual([{ diskFull: true }]);
  expect(countOnDisk()).toBeLessThanOrEqual(6);
  expect(countOnDisk()).toBeGreaterThanOrEqual(4);
  // Not at every write.
  expect(disk.looks).toBeLessThan(20);
  await archive.close();
});

it('when another program fills the disk up to the reserve, only as many segments go as it lacks', async () => {
  const { archive, disk, said, store, countOnDisk, record } = await openOnDisk(100_000);
  await record(0, 50);
  expect([said, countOnDisk()]).toEqual([[], 38]);
  disk.roomBytes = 28_000;
  await record(50, 60);
  expect(said).toEqual([{ diskFull: true }]);
  expect(countOnDisk()).toBeLessThanOrEqual(28);
  expect(countOnDisk()).toBeGreaterThanOrEqual(24);
  // Nothing piles up in memory.
  expect(store.segments.length - countOnDisk()).toBeLessThanOrEqual(14);
  await archive.close();
});

it('a store that nobody plays from any more leaves nothing on disk, though it is being written to and filled', async () => {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const archive = await openSegmentArchive(dataFolder, async (path, buffers) => {
    if (basename(path) === '3.m4s') {
      begun.resolve();
      await goOn.promise;
    }
    await writeFile(path, buffers);
  });
  const store = new SegmentStore({ windowSeconds: () => 40, folder: archive.createFolder(), memory: new MediaMemory(12_000) });
  fill(store, 0, 20);
  await begun.promise;
  beginSegment(store, packagedSegment({ bytes: Buffer.alloc(1000) }));
  store.close();
  completeSegment(store, packagedSegment({ bytes: Buffer.alloc(1000) }));
  fill(store, 21, 80);
  goOn.resolve();
  const listRun = async () => (await readdir(join(dataFolder, 'segments'), { recursive: true }).catch(() => [])).length;
  // Only the run's folder and its mark.
  await vi.waitUntil(async () => (await listRun()) === 2, quickly);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await listRun()).toBe(2);
  await archive.close();
});

it('closing waits for what is being written, so that nothing of it is left', async () => {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const archive = await openSegmentArchive(dataFolder, async (path, buffers) => {
    begun.resolve();
    await goOn.promise;
    await writeFile(path, buffers);
  });
  const said: string[] = [];
  const written = archive.createFolder().write(0, [Buffer.from('late')]);
  const told = written.then(
    () => said.push('written'),
    () => said.push('not written'),
  );
  await begun.promise;
  const closed = archive.close().then(() => said.push('closed'));
  // Longer than it takes to delete a folder.
  await new Promise((resolve) => setTimeout(resolve, 50));
  goOn.resolve();
  await Promise.all([told, closed]);
  expect([said, await listFiles()]).toEqual([['written', 'closed'], []]);
});

it('a segment larger than the fair share of its rendition goes to disk, not away', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const memory = new MediaMemory(12_000);
  // Others fill the memory, which leaves each rendition 600 bytes; a segment has 1,000.
  for (let other = 0; other < 19; other += 1) memory.openShare(() => {}).note(1_000, 0);
  const said: { diskFull: boolean }[] = [];
  const store = new SegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory,
    onShortened: (why) => said.push(why),
  });
  for (let msn = 0; msn < 20; msn += 1) {
    fill(store, msn, msn + 1);
    await vi.waitUntil(() => store.segments.slice(0, -12).every(({ path }) => path !== undefined), quickly);
  }
  expect(said).toEqual([]);
  expect(store.segments).toHaveLength(20);
  await archive.close();
});

it('without a place on disk the window is as long as the memory holds', () => {
  const said: { diskFull: boolean }[] = [];
  const onShortened = (why: { diskFull: boolean }) => said.push(why);
  const store = new SegmentStore({ windowSeconds: () => 200, memory: new MediaMemory(12_000), onShortened });
  fill(store, 0, 40);
  expect(store.segments).toHaveLength(12);
  expect(said).toEqual([{ diskFull: false }]);
});
