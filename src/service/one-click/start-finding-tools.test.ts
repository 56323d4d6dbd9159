import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFfmpeg } from '../media-tools/find-ffmpeg.ts';
import { noTools } from './encode-tools.ts';
import { startFindingTools } from './start-finding-tools.ts';

/** The folders `a` and `b`, with ffmpeg 7.0 in the first, and a search on a PATH of both. */
async function setUp(options: { checkMs?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tallylight-tools-'));
  const closing = new AbortController();
  onTestFinished(() => {
    closing.abort();
    rmSync(folder, { recursive: true });
  });
  /** Installs a program that answers `-version` as ffmpeg does. */
  const install = (name: string, version: string) => {
    const path = join(folder, name, 'ffmpeg');
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho "ffmpeg version ${version} Copyright (c) the FFmpeg developers"\n`);
    chmodSync(path, 0o755);
    return { kind: 'found', path, version, from: 'PATH' };
  };
  const first = install('a', '7.0');
  const remove = (name: string) => rmSync(join(folder, name), { recursive: true });
  const env = { PATH: [join(folder, 'a'), join(folder, 'b')].join(delimiter) };
  const counts = { looks: 0, news: 0 };
  const find = async () => {
    counts.looks += 1;
    return { ...noTools, ffmpeg: await findFfmpeg({ env, findFfmpegStatic: () => undefined, platform: 'linux' }) };
  };
  const search = startFindingTools(find, closing.signal, options);
  search.onFound(() => {
    counts.news += 1;
  });
  expect((await search.find()).ffmpeg).toEqual(first);
  expect(counts).toEqual({ looks: 1, news: 1 });
  return { search, first, counts, install, remove };
}

describe.skipIf(process.platform === 'win32')('an ffmpeg that was found', () => {
  test('is not looked for again while its file stays', async () => {
    const { search, counts } = await setUp();
    await Promise.all([search.find(), search.find()]);
    expect(counts).toEqual({ looks: 1, news: 1 });
  });

  test('and is gone is looked for elsewhere at once where one is needed', async () => {
    const { search, counts, install, remove } = await setUp();
    const other = install('b', '7.1');
    remove('a');
    const [one, two] = await Promise.all([search.find(), search.find()]);
    expect([one.ffmpeg, two.ffmpeg, search.current.ffmpeg]).toEqual([other, other, other]);
    expect(counts.news).toBe(2);
  });

  test('and is gone is noticed before one is needed', async () => {
    const { search, install, remove } = await setUp({ checkMs: 20 });
    const { promise: noticed, resolve } = Promise.withResolvers<void>();
    search.onFound(resolve);
    const other = install('b', '7.1');
    remove('a');
    await noticed;
    expect(search.current.ffmpeg).toEqual(other);
  });

  test('and is replaced is asked for its version again', async () => {
    const { search, first, install } = await setUp();
    const newer = install('a', '8.0');
    utimesSync(first.path, 0, 0);
    expect((await search.find()).ffmpeg).toEqual(newer);
  });

  test('and is gone is missing while there is no other', async () => {
    const { search, remove } = await setUp();
    remove('a');
    expect((await search.find()).ffmpeg).toMatchObject({ kind: 'missing', reason: { code: 'not-found' } });
  });
});
