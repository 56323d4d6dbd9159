import { promises } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, readlink, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { appendSegment, beginSegment, completeSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { expectPrivate } from '../../../test/support/expect-private.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { soon } from '../../../test/support/soon.ts';
import { createHttpServer } from '../http/http-server.ts';
import { playbackRoutes } from './hls-routes.ts';
import { MediaMemory } from './media-memory.ts';
import { openSegmentArchive, type SegmentFolder } from './segment-archive.ts';
import type { SegmentStore } from './segment-store.ts';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-archive-'));
});
afterEach(() => rm(dataFolder, { recursive: true, force: true }));

const listPaths = async () =>
  (await readdir(dataFolder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'tallylight-run')
    .map(({ parentPath, name }) => join(parentPath, name));
const listFiles = async () => (await listPaths()).map((path) => basename(path));

function fill(store: SegmentStore, from: number, to: number, sizeBytes = 1000): void {
  for (let msn = from; msn < to; msn += 1) appendSegment(store, packagedSegment({ bytes: Buffer.alloc(sizeBytes, msn) }));
}

/** Resolves once these segments of a store, chosen by the arguments of `slice`, have all gone to disk. */
const onDisk = (store: SegmentStore, ...chosen: [start: number, end: number]) =>
  soon(() => expect(store.segments.slice(...chosen).filter(({ path }) => path === undefined)).toEqual([]));

/** A server whose stream `show` has the store as its source. */
async function serve(store: SegmentStore) {
  const app = createHttpServer({ log: pino({ level: 'silent' }) });
  const find = () => ({ kind: 'playable', multivariant: 'on-air', renditions: [{ name: 'source', store }] }) as const;
  await app.register(playbackRoutes({ find }), { prefix: '/hls' });
  return app;
}

it('segments beyond the memory bound go to disk, readable by the user only, are served from there and deleted in the end', async () => {
  await writeFile(join(dataFolder, 'of-another-run'), '');
  const archive = await openSegmentArchive(dataFolder);
  const store = createSegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory: new MediaMemory(12_000),
  });
  fill(store, 0, 20);
  await onDisk(store, 0, 8);
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

  // Segments that left the window long ago can't be asked for any more.
  for (let msn = 20; msn < 70; msn += 1) {
    fill(store, msn, msn + 1);
    await onDisk(store, 0, 8);
  }
  await soon(async () => expect(await listFiles()).not.toContain('3.m4s'));
  expect((await get()).statusCode).toBe(404);
  await archive.close();
  expect(await listFiles()).toEqual(['of-another-run']);
});

it('a live edge that is too large goes to disk up to its newest segments, and plays from there', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const store = createSegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory: new MediaMemory(4_000),
    maxEdgeBytes: 3_000,
  });
  for (let msn = 0; msn < 8; msn += 1) {
    fill(store, msn, msn + 1);
    await onDisk(store, 0, -4);
  }
  expect(store.segments.filter(({ path }) => path === undefined).map(({ msn }) => msn)).toEqual([4, 5, 6, 7]);
  const app = await serve(store);
  expect((await app.inject({ url: '/hls/show/source/1.m4s' })).rawPayload).toEqual(Buffer.alloc(1000, 1));
  expect((await app.inject({ url: '/hls/show/source/7-0.m4s' })).rawPayload).toEqual(Buffer.alloc(1000, 7));
  await archive.close();
});

it('HEAD reads nothing of a segment on disk', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const store = createSegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory: new MediaMemory(12_000),
  });
  fill(store, 0, 20);
  await onDisk(store, 3, 4);
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
  const store = createSegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory: new MediaMemory(12_000),
  });
  fill(store, 0, 20);
  await onDisk(store, 3, 4);
  const { path = '' } = store.segments[3] ?? {};
  const app = await serve(store);
  const get = async () => (await app.inject('/hls/show/source/3.m4s')).statusCode;
  await rm(path);
  // Like a file on a failing drive: it exists, but can't be read as a file.
  await mkdir(path);
  expect(await get()).toBe(500);
  await rmdir(path);
  expect(await get()).toBe(404);
  await archive.close();
});

it('parts that have left the playlist can be requested for as long again, however little memory there is', async () => {
  const archive = await openSegmentArchive(dataFolder);
  const store = createSegmentStore({ windowSeconds: () => 40, folder: archive.createFolder(), memory: new MediaMemory(1_000) });
  for (let msn = 0; msn < 20; msn += 1) {
    fill(store, msn, msn + 1);
    await onDisk(store, 0, -7);
  }
  expect(store.segments).toHaveLength(20);
  // Segments of 2 s: three target durations are offered in parts, and three more have been.
  expect(store.partSegments).toBe(3);
  const inParts = store.segments.filter(({ msn }) => store.findPart(msn, 0).kind === 'here').map(({ msn }) => msn);
  expect(inParts).toEqual([13, 14, 15, 16, 17, 18, 19]);
  await archive.close();
});

it('deletes the segments of an earlier run at the start', async () => {
  const before = await openSegmentArchive(dataFolder);
  await before.createFolder().write(7, [Buffer.from('left')]);
  expect(await listFiles()).toEqual(['7.m4s']);
  const archive = await openSegmentArchive(dataFolder);
  await soon(async () => expect(await listFiles()).toEqual([]));
  await archive.close();
  expect(await readdir(dataFolder)).not.toContain('segments');
});

/** Holds up every deletion of a file until the test releases it. */
function holdDeletions(): { asked: () => number; go: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { unlink } = promises;
  const spy = vi.spyOn(promises, 'unlink').mockImplementation(async (path) => {
    await promise;
    await unlink(path);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return { asked: () => spy.mock.calls.length, go: resolve };
}

it('takes segments while it deletes those of an earlier run, and leaves the rest to the next start if it is closed before', async () => {
  const before = (await openSegmentArchive(dataFolder)).createFolder();
  for (const msn of [7, 8, 9]) await before.write(msn, [Buffer.from('left')]);
  const deletions = holdDeletions();
  const archive = await openSegmentArchive(dataFolder);
  await soon(() => expect(deletions.asked()).toBe(1));
  await archive.createFolder().write(1000, [Buffer.from('now')]);
  expect((await listFiles()).sort()).toEqual(['1000.m4s', '7.m4s', '8.m4s', '9.m4s']);
  const closed = archive.close();
  deletions.go();
  await closed;
  const left = await listFiles();
  expect([left.length, left.includes('1000.m4s')]).toEqual([2, false]);
  const last = await openSegmentArchive(dataFolder);
  await soon(async () => expect(await listFiles()).toEqual([]));
  await last.close();
});

// On Windows only administrators can make symbolic links.
it.skipIf(process.platform === 'win32')(
  'deletes only folders that one of our runs has marked, at the start and at the end, and their parent only when it is empty',
  async () => {
    const segments = join(dataFolder, 'segments');
    const holidays = join(dataFolder, 'holidays');
    for (const folder of [join(segments, 'of-the-user'), holidays]) await mkdir(folder, { recursive: true });
    await writeFile(join(segments, 'of-the-user', 'film.mp4'), '');
    await writeFile(join(segments, 'notes.txt'), '');
    await writeFile(join(holidays, 'tallylight-run'), '');
    await writeFile(join(holidays, 'beach.jpg'), '');
    await symlink(holidays, join(segments, 'link'));
    // A folder with the name of our mark.
    await mkdir(join(segments, 'of-another-program', 'tallylight-run'), { recursive: true });
    await writeFile(join(segments, 'of-another-program', 'tallylight-run', 'race.mp4'), '');
    const before = await openSegmentArchive(dataFolder);
    await before.createFolder().write(7, [Buffer.from('left')]);
    const archive = await openSegmentArchive(dataFolder);
    await archive.createFolder().write(8, [Buffer.from('now')]);
    await soon(async () =>
      expect((await listFiles()).sort()).toEqual(['8.m4s', 'beach.jpg', 'film.mp4', 'notes.txt', 'race.mp4']),
    );
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

it('16 segments of all renditions are written side by side, the others in order, unless nobody needs them any more', async () => {
  const writes: { name: string; end: () => void }[] = [];
  const archive = await openSegmentArchive(dataFolder, async (path) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    writes.push({ name: join(basename(join(path, '..')), basename(path)), end: resolve });
    await promise;
  });
  const folders = [archive.createFolder(), archive.createFolder()];
  const forgotten = new AbortController();
  const written = Array.from({ length: 10 }, (_, msn) =>
    folders.map((folder) => folder.write(msn, [Buffer.from('a')], msn === 8 ? forgotten.signal : undefined)),
  ).flat();
  await soon(() => expect(writes).toHaveLength(16));
  forgotten.abort(new Error('No player may ask for it.'));
  for (const index of [16, 17]) await expect(written[index]).rejects.toThrow('No player may ask for it.');
  expect(writes).toHaveLength(16);
  writes[3]?.end();
  await soon(() => expect(writes).toHaveLength(17));
  for (const { end } of writes) end();
  await soon(() => expect(writes).toHaveLength(18));
  expect(writes.slice(16).map(({ name }) => name)).toEqual([join('1', '9.m4s'), join('2', '9.m4s')]);
  writes[17]?.end();
  await Promise.allSettled(written);
  await archive.close();
});

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
  // The folders above it, too.
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
  const store = createSegmentStore({
    windowSeconds: () => 200,
    folder: archive.createFolder(),
    memory: new MediaMemory(12_000),
    onShortened: (why) => said.push(why),
  });
  for (let msn = 0; msn < 40; msn += 1) {
    fill(store, msn, msn + 1);
    await new Promise((resolve) => setImmediate(resolve));
    await soon(() => expect(store.segments.length).toBeLessThanOrEqual(12));
    expect(store.segments.at(-1)?.msn).toBe(msn);
  }
  expect(said).toEqual([{ diskFull: true }]);
  expect(store.segments).toHaveLength(12);
  await soon(async () => expect(await listFiles()).toEqual([]));
  await archive.close();
});

it('a full disk keeps as many of the newest segments as fit on it', async () => {
  let files = 0;
  const archive = await openSegmentArchive(dataFolder, async (path, buffers) => {
    if (files >= 5) throw Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' });
    files += 1;
    await writeFile(path, buffers);
  });
  const folder = archive.createFolder();
  const limited = observe(folder, () => {
    files -= 1;
  });
  const said: { diskFull: boolean }[] = [];
  const store = createSegmentStore({
    windowSeconds: () => 200,
    folder: limited.folder,
    memory: new MediaMemory(12_000),
    onShortened: (why) => said.push(why),
  });
  const countOnDisk = () => store.segments.filter(({ path }) => path !== undefined).length;
  for (let msn = 0; msn < 60; msn += 1) {
    fill(store, msn, msn + 1);
    await soon(() => expect(limited.writing).toBe(0));
    expect(store.segments.at(-1)?.msn).toBe(msn);
    if (msn > 20) expect(countOnDisk()).toBeGreaterThanOrEqual(3);
    // Segments that wait for room on disk are in memory, up to twice the bound.
    expect(store.segments.length - countOnDisk()).toBeLessThanOrEqual(24);
  }
  expect(said).toEqual([{ diskFull: true }]);
  await archive.close();
});

/** The same folder; `writing` counts its writes in progress. */
function observe(folder: SegmentFolder, onRemove: () => void) {
  const observed = {
    writing: 0,
    folder: {
      ...folder,
      async write(msn: number, buffers: readonly Buffer[]) {
        observed.writing += 1;
        return await folder.write(msn, buffers).finally(() => {
          observed.writing -= 1;
        });
      },
      async remove(path: string) {
        onRemove();
        await folder.remove(path);
      },
    },
  };
  return observed;
}

/** A disk with this much room for segments beyond its reserve, unless the test or another program takes some. */
async function openOnDisk(roomBytes: number, { type = 0xef53, lateMs = 0 } = {}) {
  const disk = { roomBytes, looks: 0, nowMs: 0 };
  const reserveBytes = 2 * 1024 ** 3;
  const deleted: { atMs: number; sizeBytes: number }[] = [];
  const countUsedBytes = async () => {
    const late = deleted.filter(({ atMs }) => disk.nowMs - atMs < lateMs);
    const sizes = await Promise.all(
      (await listPaths()).map(async (path) => (await stat(path).catch(() => ({ size: 0 }))).size),
    );
    return [...sizes, ...late.map(({ sizeBytes }) => sizeBytes)].reduce((sum, size) => sum + size, 0);
  };
  const archive = await openSegmentArchive(dataFolder, undefined, {
    async statfs() {
      disk.looks += 1;
      return { type, bsize: 1, blocks: 100 * reserveBytes, bavail: reserveBytes + disk.roomBytes - (await countUsedBytes()) };
    },
    nowMs: () => disk.nowMs,
  });
  const renditions: { store: SegmentStore; segmentBytes: number; countOnDisk: () => number; isWriting: () => boolean }[] = [];
  const addRendition = (segmentBytes = 1000) => {
    const observed = observe(archive.createFolder(), () => deleted.push({ atMs: disk.nowMs, sizeBytes: segmentBytes }));
    const said: { diskFull: boolean }[] = [];
    const store = createSegmentStore({
      windowSeconds: () => 200,
      folder: observed.folder,
      memory: new MediaMemory(12 * segmentBytes),
      onShortened: (why) => said.push(why),
    });
    const countOnDisk = () => store.segments.filter(({ path }) => path !== undefined).length;
    renditions.push({ store, segmentBytes, countOnDisk, isWriting: () => observed.writing > 0 });
    return { store, said, countOnDisk };
  };
  const countAllOnDisk = () => renditions.reduce((sum, { countOnDisk }) => sum + countOnDisk(), 0);
  /** Adds segments of 2 s to each rendition, each once the disk has had its time. */
  const record = async (from: number, to: number) => {
    for (let msn = from; msn < to; msn += 1) {
      disk.nowMs += 2_000;
      for (const { store, segmentBytes } of renditions) fill(store, msn, msn + 1, segmentBytes);
      await soon(async () => {
        expect(renditions.filter(({ isWriting }) => isWriting())).toEqual([]);
        expect(await listFiles()).toHaveLength(countAllOnDisk());
      });
      for (const { store } of renditions) expect(store.segments.at(-1)?.msn).toBe(msn);
    }
  };
  return { archive, disk, addRendition, record };
}

it('a reserve of the disk stays free: beyond it the oldest segments make room, and the window is shorter', async () => {
  const { archive, disk, addRendition, record } = await openOnDisk(6_000);
  const { said, countOnDisk } = addRendition();
  await record(0, 40);
  expect(said).toEqual([{ diskFull: true }]);
  expect(countOnDisk()).toBeLessThanOrEqual(6);
  expect(countOnDisk()).toBeGreaterThanOrEqual(4);
  // It doesn't look at every write.
  expect(disk.looks).toBeLessThan(20);
  await archive.close();
});

it('when another program fills the disk up to the reserve, only as many segments go as it lacks', async () => {
  const { archive, disk, addRendition, record } = await openOnDisk(100_000);
  const { said, store, countOnDisk } = addRendition();
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

it.each([
  ['source', [1000, 100]],
  ['smallest rendition', [100, 1000]],
])('a full disk shortens all renditions by about the same time, though the %s is written first', async (_, sizes) => {
  const { archive, disk, addRendition, record } = await openOnDisk(100_000);
  const [first, second] = sizes.map((segmentBytes) => addRendition(segmentBytes));
  const countOnDisk = () => [first?.countOnDisk() ?? 0, second?.countOnDisk() ?? 0] as const;
  await record(0, 50);
  expect(countOnDisk()).toEqual([38, 38]);
  disk.roomBytes = 30_000;
  // The same holds after the first shortage: each new segment then needs the room of an old one.
  for (let msn = 50; msn < 95; msn += 1) {
    await record(msn, msn + 1);
    if (msn < 53) continue;
    const [one, other] = countOnDisk();
    expect(Math.abs(one - other)).toBeLessThanOrEqual(2);
    expect(Math.min(one, other)).toBeGreaterThanOrEqual(24);
  }
  expect([first?.said, second?.said]).toEqual([[{ diskFull: true }], [{ diskFull: true }]]);
  await archive.close();
});

it('where deleted files count as used for half a minute more, as on btrfs, no more is deleted than is missing', async () => {
  const { archive, disk, addRendition, record } = await openOnDisk(100_000, { type: 0x9123683e, lateMs: 30_000 });
  const { said, store, countOnDisk } = addRendition();
  await record(0, 50);
  disk.roomBytes = 28_000;
  await record(50, 53);
  for (let msn = 53; msn < 85; msn += 1) {
    await record(msn, msn + 1);
    expect(countOnDisk()).toBeGreaterThanOrEqual(26);
    expect(countOnDisk()).toBeLessThanOrEqual(28);
    expect(store.segments.length - countOnDisk()).toBeLessThanOrEqual(14);
  }
  expect(said).toEqual([{ diskFull: true }]);
  await archive.close();
});

it('a folder that is closed leaves its room on the disk to the others', async () => {
  const { archive } = await openOnDisk(1_000);
  const [ended, onAir] = [archive.createFolder(), archive.createFolder()];
  await ended.write(1, [Buffer.alloc(600)]);
  await expect(onAir.write(1, [Buffer.alloc(600)])).rejects.toMatchObject({ code: 'ENOSPC' });
  await ended.close();
  await onAir.write(1, [Buffer.alloc(1_000)]);
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
  const store = createSegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory: new MediaMemory(12_000),
  });
  fill(store, 0, 20);
  await begun.promise;
  beginSegment(store, packagedSegment({ bytes: Buffer.alloc(1000) }));
  store.close();
  completeSegment(store, packagedSegment({ bytes: Buffer.alloc(1000) }));
  fill(store, 21, 80);
  goOn.resolve();
  const listRun = async () => (await readdir(join(dataFolder, 'segments'), { recursive: true }).catch(() => [])).length;
  // Only the run's folder and its mark.
  await soon(async () => expect(await listRun()).toBe(2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await listRun()).toBe(2);
  await archive.close();
});

it('closing waits for segments that are being written, so that nothing of them is left', async () => {
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
  const store = createSegmentStore({
    windowSeconds: () => 40,
    folder: archive.createFolder(),
    memory,
    onShortened: (why) => said.push(why),
  });
  for (let msn = 0; msn < 20; msn += 1) {
    fill(store, msn, msn + 1);
    await onDisk(store, 0, -12);
  }
  expect(said).toEqual([]);
  expect(store.segments).toHaveLength(20);
  await archive.close();
});

it('without a place on disk the window is as long as the memory holds', () => {
  const said: { diskFull: boolean }[] = [];
  const onShortened = (why: { diskFull: boolean }) => said.push(why);
  const store = createSegmentStore({ windowSeconds: () => 200, memory: new MediaMemory(12_000), onShortened });
  fill(store, 0, 40);
  expect(store.segments).toHaveLength(12);
  expect(said).toEqual([{ diskFull: false }]);
});
