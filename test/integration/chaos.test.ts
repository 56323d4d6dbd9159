import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Profile } from '../../src/shared/model/profile.ts';
import { readHoldings, settleHoldings } from '../support/chaos/accounting.ts';
import { startLiveViewer } from '../support/chaos/live-viewer.ts';
import { type ChaosTargets, operations } from '../support/chaos/operations.ts';
import { chooseBySeed } from '../support/chaos/seeded-choice.ts';
import { watchTruth } from '../support/chaos/truth-watch.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestService } from '../support/test-service.ts';

const seconds = Number(process.env.TALLYLIGHT_CHAOS_SECONDS ?? 60);
const seed = Number(process.env.TALLYLIGHT_CHAOS_SEED ?? randomInt(2 ** 32));
/** What is let go of its own accord, such as connections that are kept for a while, is gone by then. */
const leftoverPatienceMs = 20_000;
/** What the bystander's viewer may wait for new media on a busy computer, in milliseconds. */
const maxBystanderWaitMs = 6_000;

const profiles: readonly Profile[] = [
  { name: '144p', bitrate: 200_000, fps: 0, width: 256, height: 144 },
  { name: '128p', bitrate: 100_000, fps: 0, width: 228, height: 128 },
];

async function createStream(
  service: Awaited<ReturnType<typeof startTestService>>,
  name: string,
  ladder: readonly Profile[] = [],
) {
  const { body } = await service.api('POST', '/stream', { name, profiles: ladder });
  const base = `${service.urls.playbackBaseUrl}/${body.playbackId}`;
  return {
    streamId: body.id as string,
    name,
    publishUrl: `${service.urls.ingestBaseUrl}/${body.streamKey}`,
    multivariantUrl: `${base}/index.m3u8`,
    viewer: startLiveViewer(`${base}/source/index.m3u8`),
  };
}

test(
  `${seconds} s of random operations harm no other stream, tell no lie and leave nothing behind (seed ${seed})`,
  async () => {
    console.log(`TALLYLIGHT_CHAOS_SEED=${seed} TALLYLIGHT_CHAOS_SECONDS=${seconds}`);
    const choice = chooseBySeed(seed);
    const done: string[] = [];
    const faults: string[] = [];
    const before = await readHoldings();
    const service = await startTestService();
    const oneClick = await createStream(service, 'one click');
    const ladder = await createStream(service, 'ladder', profiles);
    const bystander = await createStream(service, 'bystander');
    const streams = [oneClick, ladder, bystander];
    const truths = streams.map((stream) => watchTruth(service.app, stream));
    const steady = startFfmpegPublisher(bystander.publishUrl, { seconds: 3_600 });
    const targets: ChaosTargets = {
      ...{ service, choice, oneClickId: oneClick.streamId, ladderId: ladder.streamId, ladderUrl: ladder.publishUrl },
      profileNames: profiles.map(({ name }) => name),
      publisher: { current: startFfmpegPublisher(ladder.publishUrl, { seconds: 3_600 }) },
    };
    await service.app.broadcast.goLive({ streamId: oneClick.streamId, source: { kind: 'test-picture' } });
    await expect.poll(() => streams.every(({ viewer }) => viewer.newMediaAt !== undefined), { timeout: 60_000 }).toBe(true);

    const beganAt = performance.now();
    while (performance.now() - beganAt < seconds * 1_000) {
      const name = choice.pick(Object.keys(operations));
      done.push(`${((performance.now() - beganAt) / 1_000).toFixed(1)} s ${name}`);
      await operations[name]?.(targets).catch((error: unknown) => faults.push(`${done.at(-1)}: ${error}`));
      await sleep(choice.integer(0, 2_000));
    }

    const air = truths[2]?.live?.stream.air;
    const sessions = await service.app.session.list({ streamId: bystander.streamId });
    await Promise.all([targets.publisher.current.kill(), steady.kill()]);
    for (const truth of truths) await truth[Symbol.asyncDispose]();
    for (const { viewer } of streams) await viewer[Symbol.asyncDispose]();
    for (const { streamId } of streams) await service.app.broadcast.stop({ streamId });
    const all = await Promise.all(streams.map(({ streamId }) => service.app.session.list({ streamId })));
    const active = all.flat().filter(({ isActive }) => isActive);
    const logFaults = service.logLines.filter((line) => line.includes('a fault of Tallylight was kept from spreading'));
    await service.close();
    const leftovers = await settleHoldings(before, leftoverPatienceMs);

    const seen = {
      faults,
      leftovers,
      logFaults,
      lies: truths.flatMap(({ lies }) => lies),
      viewerFaults: streams.flatMap(({ viewer, name }) => viewer.faults.map((fault) => `${name}: ${fault}`)),
      active,
      bystander: { air: air?.kind, broadcasts: sessions.length, isHeld: bystander.viewer.longestWaitMs > maxBystanderWaitMs },
    };
    expect(seen, done.join('\n')).toEqual({
      ...{ faults: [], leftovers: [], logFaults: [], lies: [], viewerFaults: [], active: [] },
      bystander: { air: 'on-air', broadcasts: 1, isHeld: false },
    });
    expect(truths.every(({ checks }) => checks > 0)).toBe(true);
  },
  (seconds + 180) * 1_000,
);
