import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedHost, attacks, startAttack } from '../support/attacks.ts';
import { startLagMeter } from '../support/chaos/lag-meter.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestHost, type TestHost } from '../support/headless-host.ts';
import { createStream, openHostContract } from '../support/host-contract.ts';
import { type LiveViewer, startLiveViewer } from '../support/live-viewer.ts';

/** A low limit, as a service manager may set. Attacks must not use up the descriptors of a broadcast. */
const maxDescriptors = 256;
const attackMs = 3_000;
/** The longest time that a viewer with 5 s of buffer may get no new media. */
const longestHeldMs = 5_000;
/** Memory that all attacks together may leave in use, beside a minute of segments; each script tag has 15 MB. */
const maxGrowthBytes = 200 * 1024 * 1024;

let host: TestHost;
let target: Omit<AttackedHost, 'streamKey'>;
let viewer: LiveViewer;
let publisher: ReturnType<typeof startFfmpegPublisher>;
let contract: Awaited<ReturnType<typeof openHostContract>>;
let streamId: string;

beforeAll(async () => {
  host = await startTestHost({ maxDescriptors });
  contract = await openHostContract(host.ready.uiUrl);
  const { app } = contract;
  const live = await createStream(app, { name: 'On air' });
  streamId = live.id;
  publisher = startFfmpegPublisher(`${host.ready.ingestBaseUrl}/${live.streamKey}`);
  const playback = `${host.ready.playbackBaseUrl}/${live.playbackId}/source`;
  viewer = startLiveViewer(`${playback}/index.m3u8`);
  while (viewer.newMediaAt === undefined) await sleep(100);
  target = {
    httpPort: Number(new URL(host.ready.playbackBaseUrl).port),
    rtmpPort: Number(new URL(host.ready.ingestBaseUrl).port),
    segmentPath: new URL(`${playback}/0.m4s`).pathname,
    page: contract.socket,
  };
}, 60_000);
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  contract[Symbol.dispose]();
  await publisher.kill();
  await host.close();
});

const countDescriptors = async () => (await readdir(`/proc/${host.pid}/fd`)).length;
const readMemoryBytes = async () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${host.pid}/status`, 'utf8'))?.[1]) * 1024;

/** Attacks that run at the same time. Those that use up a port's connections are not with others that need some. */
const groups: readonly (readonly (keyof typeof attacks)[])[] = [
  ['viewers that do not read', 'idle RTMP'],
  ['slow HTTP', 'bytes that are not RTMP', 'one-byte chunks without a key', 'keyless FCPublish', 'messages from a page'],
  [
    'malformed HTTP',
    'one-byte chunks with a key',
    'FCPublish with a key',
    'pings with a key',
    'forged sequences',
    'script tags of 15 MB',
  ],
];

test('every attack is in a group', () => {
  expect(groups.flat().toSorted()).toEqual(Object.keys(attacks).toSorted());
});

test.each(groups.map((names) => [names.join(', '), names] as const))(
  '%s: the broadcast continues, and the attacks leave nothing behind',
  async (_title, names) => {
    const victims = await Promise.all(
      names.map(async (name) => ({ name, ...target, ...(await createStream(contract.app, { name })) })),
    );
    using lag = startLagMeter();
    const before = { descriptors: await countDescriptors(), memoryBytes: await readMemoryBytes() };
    let longestMs = 0;
    {
      using running = new DisposableStack();
      for (const { name, ...victim } of victims) running.use(startAttack(name, victim));
      for (const endsAt = performance.now() + attackMs; performance.now() < endsAt; ) {
        await sleep(50);
        longestMs = Math.max(longestMs, performance.now() - (viewer.newMediaAt ?? 0) - lag.lagMs);
      }
    }
    const endedAt = performance.now();
    await expect.poll(() => (viewer.newMediaAt ?? 0) > endedAt, { timeout: longestHeldMs }).toBe(true);
    expect(longestMs).toBeLessThan(longestHeldMs);
    // Half-open and waiting connections are closed by their deadlines, 10 s at most.
    await expect.poll(countDescriptors, { timeout: 15_000 }).toBeLessThanOrEqual(before.descriptors + 4);
    expect((await readMemoryBytes()) - before.memoryBytes).toBeLessThan(maxGrowthBytes);
    expect((await fetch(new URL('/healthz', host.ready.apiBaseUrl))).status).toBe(200);
    const sessions = await contract.app.session.list({ streamId });
    expect(sessions.map(({ isActive }) => isActive)).toEqual([true]);
    expect(viewer.faults).toEqual([]);
  },
  60_000,
);
