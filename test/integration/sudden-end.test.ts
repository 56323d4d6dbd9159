import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { type FoundProcess, findFfmpegs, findProcesses, isMeter } from '../support/find-processes.ts';
import { startTestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { lightEncode } from '../support/light-encode.ts';
import { waitUntil } from '../support/wait-until.ts';

const profiles = [
  { name: '180p', bitrate: 300_000, fps: 0, width: 320, height: 180 },
  { name: '144p', bitrate: 150_000, fps: 0, width: 256, height: 144 },
];

test('a service killed with several streams on air leaves no ffmpeg behind; its next start has lost nothing and has no stream on air', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-sudden-'));
  const first = await startTestHost({ dataFolder });
  // If the test fails before it kills it.
  onTestFinished(() => first.kill());
  const apiKey = await first.createApiKey();
  const get = (base: string, path: string) =>
    fetch(`${base}${path}`, { headers: { authorization: `Bearer ${apiKey}` } }).then((response) => response.json());
  const contract = await openHostContract(first.ready.uiUrl);
  const goLive = async (name: string) => {
    const { id: streamId } = await contract.app.stream.create({ name, profiles });
    await contract.app.broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
    const watch = async (is: (live: StreamLive) => boolean) => waitUntil(await contract.app.stream.watch({ streamId }), is);
    await watch(({ renditions }) => renditions.length === 2 && renditions.every(({ state }) => state === 'running'));
    await watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
    await waitUntil(await contract.app.stream.watchAudio({ streamId }), ({ meter }) => meter !== undefined);
    return streamId;
  };
  const [id] = await Promise.all([goLive('Sudden'), goLive('As sudden')]);
  const readStored = () => {
    using db = new DatabaseSync(join(dataFolder, 'tallylight.db'), { readOnly: true });
    const [session] = db.prepare('SELECT source_segments AS segments FROM stream WHERE parent_id = ?').all(id ?? '');
    return Number(session?.segments ?? 0);
  };
  await expect.poll(readStored).toBeGreaterThan(0);
  const stored = readStored();
  let ffmpegs: FoundProcess[] = [];
  const countFfmpegs = async () => {
    // An ffmpeg that only probes an encoder exits by itself.
    ffmpegs = (await findFfmpegs(first.pid)).filter(({ words }) => !words.includes('-frames:v'));
    const ladders = ffmpegs.filter(({ words }) => words.includes('-filter_complex'));
    return { ladders: ladders.length, meters: ffmpegs.filter(isMeter).length, all: ffmpegs.length };
  };
  // For each stream: the capture, an encoder of video and one of audio, one for its renditions, and the meter. A busy computer may
  // be replacing one.
  await expect.poll(countFfmpegs).toEqual({ ladders: 2, meters: 2, all: 10 });

  // Right before the kill: on a busy computer, encoders that are late make several segments at once.
  const readAtMs = performance.now();
  const before = await get(first.ready.apiBaseUrl, `/stream/${id}`);
  expect(before.isActive).toBe(true);
  await first.kill();
  const wentOnSeconds = (performance.now() - readAtMs) / 1_000;
  const deadline = performance.now() + 30_000;
  const isLeft = async () => (await findProcesses()).some(({ pid }) => ffmpegs.some((ffmpeg) => ffmpeg.pid === pid));
  while ((await isLeft()) && performance.now() < deadline) await sleep(50);
  expect(await isLeft()).toBe(false);

  await using second = await startTestHost({ dataFolder });
  const after = await get(second.ready.apiBaseUrl, `/stream/${id}`);
  expect(after).toMatchObject({ id, name: 'Sudden', playbackId: before.playbackId, isActive: false });
  expect(after.sourceSegments).toBeGreaterThanOrEqual(stored);
  // One-second segments.
  expect(after.sourceSegments).toBeLessThanOrEqual(before.sourceSegments + wentOnSeconds + 2);
  const [session, ...others] = await get(second.ready.apiBaseUrl, `/stream/${id}/sessions`);
  expect(others).toEqual([]);
  expect(session).toMatchObject({ parentId: id, isActive: false });
  await second.close();
  await rm(dataFolder, { recursive: true });
});
