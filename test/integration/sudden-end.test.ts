import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findFfmpegs, findProcesses } from '../support/find-processes.ts';
import { startTestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a service that is killed on air leaves no ffmpeg behind, and its next start has lost nothing and nobody on air', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-sudden-'));
  const first = await startTestHost({ dataFolder });
  const apiKey = await first.createApiKey();
  const get = (base: string, path: string) =>
    fetch(`${base}${path}`, { headers: { authorization: `Bearer ${apiKey}` } }).then((response) => response.json());
  const contract = await openHostContract(first.ready.uiUrl);
  const { id } = await contract.app.stream.create({ name: 'Sudden' });
  await contract.app.broadcast.goLive({ streamId: id, source: { kind: 'test-picture' } });
  await waitUntil(await contract.app.stream.watch({ streamId: id }), ({ session }) => (session?.sourceSegments ?? 0) >= 2);
  const before = await get(first.ready.apiBaseUrl, `/stream/${id}`);
  expect(before.isActive).toBe(true);
  const ffmpegs = await findFfmpegs(first.pid);
  expect(ffmpegs).toHaveLength(1);

  await first.kill();
  const deadline = performance.now() + 5_000;
  const isLeft = async () => (await findProcesses()).some(({ pid }) => pid === ffmpegs[0]?.pid);
  while ((await isLeft()) && performance.now() < deadline) await sleep(50);
  expect(await isLeft()).toBe(false);

  await using second = await startTestHost({ dataFolder });
  const after = await get(second.ready.apiBaseUrl, `/stream/${id}`);
  expect(after).toMatchObject({ id, name: 'Sudden', playbackId: before.playbackId, isActive: false });
  // Of one-second segments, stored at least every 5 s.
  expect(after.sourceSegments).toBeGreaterThanOrEqual(before.sourceSegments - 5);
  expect(after.sourceSegments).toBeLessThanOrEqual(before.sourceSegments + 5);
  const [session, ...others] = await get(second.ready.apiBaseUrl, `/stream/${id}/sessions`);
  expect(others).toEqual([]);
  expect(session).toMatchObject({ parentId: id, isActive: false });
  await second.close();
  await rm(dataFolder, { recursive: true });
});
