import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Profile } from '../../src/shared/model/profile.ts';
import { readHoldings, settleHoldings } from '../support/chaos/accounting.ts';
import { watchHarm } from '../support/chaos/harm-watch.ts';
import { startLagMeter } from '../support/chaos/lag-meter.ts';
import { startLiveViewer } from '../support/chaos/live-viewer.ts';
import { findOpenRows } from '../support/chaos/open-sessions.ts';
import { type ChaosTargets, hands, operations, recover, type Touched } from '../support/chaos/operations.ts';
import { chooseBySeed } from '../support/chaos/seeded-choice.ts';
import { watchTruth } from '../support/chaos/truth-watch.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startStallableProxy } from '../support/stallable-proxy.ts';
import { startTestService } from '../support/test-service.ts';

const seconds = Number(process.env.TALLYLIGHT_CHAOS_SECONDS ?? 60);
const seed = Number(process.env.TALLYLIGHT_CHAOS_SEED ?? randomInt(2 ** 32));
/** Resources released with a delay, such as kept-alive connections, are gone by then. */
const leftoverPatienceMs = 20_000;
/** For everything to go on air on a busy computer, at the beginning and at the end. */
const onAirPatienceMs = 60_000;
/** A part of 200 ms is packaged, announced and fetched within this time of its last byte. */
const sourceHeldMs = 1_000;
/** Our own encoder may pause this long before that counts as trouble (`lastSeenBadMs`); then its media has to arrive. */
const oneClickHeldMs = 3_000 + sourceHeldMs;
/** A rendition's ffmpeg may lag this much before it counts as slow (`maxLagMs`); then its media has to arrive. */
const renditionHeldMs = 1_000 + sourceHeldMs;

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
  const wire = await startStallableProxy(service.urls.rtmpPort);
  const ingestUrl = new URL(service.urls.ingestBaseUrl);
  ingestUrl.port = String(wire.port);
  const publishUrlOf = (streamKey: string) => `${ingestUrl.href}/${streamKey}`;
  return {
    streamId: body.id as string,
    name,
    base,
    wire,
    publishUrlOf,
    publishUrl: publishUrlOf(body.streamKey),
    multivariantUrl: `${base}/index.m3u8`,
    viewer: startLiveViewer(`${base}/source/index.m3u8`),
  };
}

test(
  `${seconds} s of random operations harm no other stream, show no wrong state and leave nothing behind (seed ${seed})`,
  async () => {
    console.log(`TALLYLIGHT_CHAOS_SEED=${seed} TALLYLIGHT_CHAOS_SECONDS=${seconds}`);
    const dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-chaos-'));
    const done: string[] = [];
    const faults: string[] = [];
    const before = await readHoldings();
    const lag = startLagMeter();
    const service = await startTestService({ dataFolder });
    const { wire: _ours, ...oneClick } = await createStream(service, 'one click');
    const ladder = await createStream(service, 'ladder', profiles);
    const bystander = await createStream(service, 'bystander');
    const streams = [oneClick, ladder, bystander];
    const wires = [_ours, ladder.wire, bystander.wire];
    const renditionViewer = startLiveViewer(`${ladder.base}/144p/index.m3u8`);
    const viewers = [...streams.map(({ viewer }) => viewer), renditionViewer];
    const truths = streams.map((stream) => watchTruth(service.app, stream, lag));
    const [oneClickTruth, ladderTruth, bystanderTruth] = truths as [(typeof truths)[0], (typeof truths)[0], (typeof truths)[0]];
    const guarded: { touched?: Touched; harm: ReturnType<typeof watchHarm> }[] = [
      { touched: 'one-click', harm: watchHarm({ ...oneClick, truth: oneClickTruth, longestHeldMs: oneClickHeldMs }, lag) },
      { touched: 'ladder', harm: watchHarm({ ...ladder, truth: ladderTruth, longestHeldMs: sourceHeldMs }, lag) },
      {
        touched: 'renditions',
        harm: watchHarm(
          {
            name: 'a rendition',
            viewer: renditionViewer,
            truth: ladderTruth,
            wire: ladder.wire,
            longestHeldMs: renditionHeldMs,
          },
          lag,
        ),
      },
      { harm: watchHarm({ ...bystander, truth: bystanderTruth, longestHeldMs: sourceHeldMs }, lag) },
    ];
    const steady = startFfmpegPublisher(bystander.publishUrl, { seconds: 3_600 });
    const targets: Omit<ChaosTargets, 'choice'> = {
      service,
      profiles,
      oneClickId: oneClick.streamId,
      ladderId: ladder.streamId,
      oneClickUrl: oneClick.multivariantUrl,
      ladderUrlOf: ladder.publishUrlOf,
      publisher: { current: startFfmpegPublisher(ladder.publishUrl, { seconds: 3_600 }), url: ladder.publishUrl },
    };
    await service.app.broadcast.goLive({ streamId: oneClick.streamId, source: { kind: 'test-picture' } });
    const isOnAir = () => guarded.every(({ harm }) => harm.isSettled);
    await expect.poll(isOnAir, { timeout: onAirPatienceMs }).toBe(true);

    const beganAt = performance.now();
    const operate = async (names: readonly string[], handSeed: number) => {
      const choice = chooseBySeed(handSeed);
      while (performance.now() - beganAt < seconds * 1_000) {
        const name = choice.pick(names);
        const what = `${((performance.now() - beganAt) / 1_000).toFixed(1)} s ${name}`;
        done.push(what);
        const operation = operations[name];
        let run = async () => void (await operation?.run({ ...targets, choice }));
        for (const { touched, harm } of guarded) {
          const inner = run;
          const isOwn = touched !== undefined && operation?.touches.includes(touched) === true;
          run = () => harm.during(what, isOwn, inner);
        }
        await run().catch((error: unknown) => faults.push(`${what}: ${error}`));
        await sleep(choice.integer(0, 2_000));
      }
    };
    await Promise.all(hands.map((names, index) => operate(names, seed + index)));

    // After all these operations, every stream can still go on air.
    for (const { harm, touched } of guarded) if (touched) void harm.during('recover', true, async () => {});
    await recover({ ...targets, choice: chooseBySeed(seed) });
    await expect.poll(isOnAir, { timeout: onAirPatienceMs }).toBe(true);
    const sessions = await service.app.session.list({ streamId: bystander.streamId });
    for (const { harm } of guarded) harm[Symbol.dispose]();
    for (const truth of truths) await truth[Symbol.asyncDispose]();
    for (const viewer of viewers) await viewer[Symbol.asyncDispose]();
    await Promise.all([targets.publisher.current.kill(), steady.kill()]);
    for (const wire of wires) await wire[Symbol.asyncDispose]();
    const logFaults = service.logLines.filter((line) => line.includes('An internal error was contained.'));
    // The broadcasts are still running: closing ends them.
    await service.close();
    lag[Symbol.dispose]();
    const seen = {
      faults,
      logFaults,
      leftovers: await settleHoldings(before, leftoverPatienceMs),
      lies: truths.flatMap(({ lies }) => lies),
      harms: guarded.flatMap(({ harm }) => harm.harms),
      viewerFaults: viewers.flatMap((viewer) => viewer.faults),
      open: findOpenRows(dataFolder),
      bystanderBroadcasts: sessions.length,
    };
    await rm(dataFolder, { recursive: true });
    expect(seen, done.join('\n')).toEqual({
      faults: [],
      logFaults: [],
      leftovers: [],
      lies: [],
      harms: [],
      viewerFaults: [],
      open: [],
      bystanderBroadcasts: 1,
    });
    expect(truths.every(({ checks }) => checks > seconds / 4)).toBe(true);
  },
  (seconds + 240) * 1_000,
);
