import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRtmpPublisher } from '../../../src/service/rtmp/rtmp-client.ts';
import type { Profile } from '../../../src/shared/model/profile.ts';
import type { Source } from '../../../src/shared/model/source.ts';
import { signalProcess } from '../../../src/tools/processes.ts';
import { startFfmpegPublisher } from '../ffmpeg-publisher.ts';
import { findFfmpegs, findMeters } from '../find-processes.ts';
import { fillDisk } from '../full-disk.ts';
import { encodeLightly } from '../light-encode.ts';
import { lockStore } from '../rival-program.ts';
import type { startTestService } from '../test-service.ts';
import type { SeededChoice } from './seeded-choice.ts';

/** The parts an operation may act on. */
export type Touched = 'one-click' | 'ladder' | 'renditions';

/** The streams that one set of operations acts on. */
export interface ChaosTargets {
  service: Awaited<ReturnType<typeof startTestService>>;
  oneClickId: string;
  /** No other one-click broadcast has it. */
  source: Source;
  /** The bitrate of its one-click broadcast, which identifies its encoder. */
  videoBitrateBps: number;
  ladderId: string;
  ladderUrlOf: (streamKey: string) => string;
  /** A media playlist URL of the one-click broadcast. */
  oneClickUrl: string;
  /** No other ladder has their heights. */
  profiles: readonly Profile[];
  /** The ladder's publisher and its URL, valid until the key is renewed. */
  publisher: { current: ReturnType<typeof startFfmpegPublisher>; url: string };
  choice: SeededChoice;
}

/** Statuses that are not faults: the stream is in another state than the operation needs. */
const expectedCodes = new Set([
  'OFF_AIR',
  'ALREADY_LIVE',
  'UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'STREAM_ACTIVE',
  'NOT_FOUND',
  'INVALID_INPUT',
]);
const expectedStatuses = new Set([200, 201, 204, 400, 404, 409, 422, 429, 503]);

const allow = (call: Promise<unknown>) =>
  call.catch((error: unknown) => {
    const code = (error as { code?: string }).code ?? '';
    if (!expectedCodes.has(code)) throw error;
  });

async function ask({ service }: ChaosTargets, method: string, path: string, body?: unknown) {
  const answer = await service.api(method, path, body);
  if (!expectedStatuses.has(answer.status)) throw new Error(`${method} ${path} answered ${answer.status}.`);
  return answer;
}

async function sendGarbage(port: number, bytes: Buffer): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(bytes);
  await sleep(500);
  socket.destroy();
}

/** An ffmpeg of these targets, if it runs: the capture or the encoder of their one-click broadcast, or the ladder. */
async function findFfmpeg({ source, videoBitrateBps, profiles }: ChaosTargets, of: 'capture' | 'one-click' | 'ladder') {
  const { main } = source.picture;
  const isOf: Record<typeof of, (word: string) => boolean> = {
    capture: (word) => (main.kind === 'files' ? word === `file:${main.paths[0]}` : word.startsWith('testsrc2=')),
    'one-click': (word) => word === String(videoBitrateBps),
    ladder: (word) => profiles.some(({ width, height }) => word.includes(`scale=${width}:${height}:`)),
  };
  // The publishers are ffmpegs of this process too, with a test picture of their own.
  const ours = (await findFfmpegs(process.pid)).filter(({ words }) => !words.some((word) => word.startsWith('rtmp:')));
  return ours.find(({ words }) => words.some(isOf[of]));
}

async function killFfmpeg(targets: ChaosTargets, of: 'capture' | 'one-click' | 'ladder'): Promise<void> {
  const found = await findFfmpeg(targets, of);
  if (found) signalProcess(found, 'SIGKILL');
}

const startEncoder = ({ publisher }: ChaosTargets) => startFfmpegPublisher(publisher.url);

async function restartEncoder(targets: ChaosTargets): Promise<void> {
  await targets.publisher.current.kill();
  await allow(targets.service.app.broadcast.letIn({ streamId: targets.ladderId }));
  targets.publisher.current = startEncoder(targets);
}

/**
 * Puts both streams that were operated on back on air, whatever state they were left in. The ladder gets a new broadcast, with all
 * its renditions: which ones were chosen counts as long as a broadcast lasts, and {@link operations} may have failed to put its
 * profiles back.
 */
export async function recover(targets: ChaosTargets): Promise<void> {
  const { service, ladderId, profiles, publisher } = targets;
  await operations.goLive?.run(targets);
  await publisher.current.kill();
  await allow(service.app.broadcast.stop({ streamId: ladderId }));
  // Refused until its encoder is gone.
  while ((await ask(targets, 'PATCH', ladderStream(targets), { profiles })).status !== 204) await sleep(100);
  await operations.resume?.run(targets);
}

const ladderStream = ({ ladderId }: ChaosTargets) => `/stream/${ladderId}`;

/** An operation and its targets; nothing else may be affected. */
interface Operation {
  touches: readonly Touched[];
  run(targets: ChaosTargets): Promise<unknown>;
}

const toOneClick = (run: Operation['run']): Operation => ({ touches: ['one-click'], run });
/** Its renditions are encoded from its source. */
const toLadder = (run: Operation['run']): Operation => ({ touches: ['ladder', 'renditions'], run });
const toRenditions = (run: Operation['run']): Operation => ({ touches: ['renditions'], run });
const toNone = (run: Operation['run']): Operation => ({ touches: [], run });

/** The random operations, by name. */
export const operations: Readonly<Record<string, Operation>> = {
  stopOneClick: toOneClick(({ service, oneClickId }) => allow(service.app.broadcast.stop({ streamId: oneClickId }))),
  goLive: toOneClick(({ service, oneClickId, source, videoBitrateBps }) =>
    allow(service.app.broadcast.goLive({ streamId: oneClickId, source, encode: encodeLightly({ videoBitrateBps }) })),
  ),
  terminateOneClick: toOneClick((targets) => ask(targets, 'DELETE', `/stream/${targets.oneClickId}/terminate`)),
  killCapture: toOneClick((targets) => killFfmpeg(targets, 'capture')),
  killOneClickEncoder: toOneClick((targets) => killFfmpeg(targets, 'one-click')),
  hangOneClickEncoder: toOneClick(async (targets) => {
    const found = await findFfmpeg(targets, 'one-click');
    if (!found) return;
    signalProcess(found, 'SIGSTOP');
    await sleep(targets.choice.integer(1, 6) * 1_000);
    signalProcess(found, 'SIGCONT');
  }),
  killMeters: toNone(async () => {
    for (const meter of await findMeters(process.pid)) signalProcess(meter, 'SIGKILL');
  }),
  killLadder: toRenditions((targets) => killFfmpeg(targets, 'ladder')),
  chooseRenditions: toRenditions(({ service, ladderId, profiles, choice }) => {
    const names = profiles.map(({ name }) => name).filter(() => choice.integer(0, 1) === 1);
    return allow(service.app.broadcast.setRenditions({ streamId: ladderId, names }));
  }),
  restartEncoder: toLadder(restartEncoder),
  takeOver: toLadder(async (targets) => {
    const previous = targets.publisher.current;
    targets.publisher.current = startEncoder(targets);
    // The service should disconnect it; if it doesn't, the playback shows that.
    await Promise.race([previous.ended, sleep(10_000)]);
    await previous.kill();
  }),
  hangEncoder: toLadder(async (targets) => {
    const hanging = targets.publisher.current;
    hanging.pause();
    await sleep(targets.choice.integer(1, 6) * 1_000);
    await hanging.kill();
    targets.publisher.current = startEncoder(targets);
  }),
  stopLadder: toLadder(async (targets) => {
    await allow(targets.service.app.broadcast.stop({ streamId: targets.ladderId }));
    await sleep(1_000);
    await restartEncoder(targets);
  }),
  renewKey: toLadder(async (targets) => {
    const { service, ladderId } = targets;
    await allow(service.app.stream.renewKey({ streamId: ladderId }));
    targets.publisher.url = targets.ladderUrlOf((await service.app.stream.revealKey({ streamId: ladderId })).streamKey);
    await restartEncoder(targets);
  }),
  suspend: toLadder(async (targets) => {
    await ask(targets, 'PATCH', ladderStream(targets), { suspended: true });
    await sleep(1_000);
    await operations.resume?.run(targets);
  }),
  resume: toLadder(async (targets) => {
    await ask(targets, 'PATCH', ladderStream(targets), { suspended: false });
    await restartEncoder(targets);
  }),
  rename: toNone((targets) => ask(targets, 'PATCH', ladderStream(targets), { name: `Ladder ${targets.choice.integer(1, 9)}` })),
  changeProfiles: toLadder(async (targets) => {
    const { status } = await ask(targets, 'PATCH', ladderStream(targets), { profiles: [] });
    // Nothing was on air: the next broadcast should have its renditions.
    if (status === 204) await ask(targets, 'PATCH', ladderStream(targets), { profiles: targets.profiles });
  }),
  createAndDelete: toNone(async (targets) => {
    const { status, body } = await ask(targets, 'POST', '/stream', { name: 'Short-lived' });
    if (status === 201) await ask(targets, 'DELETE', `/stream/${body.id}`);
  }),
  createAndRevokeKey: toNone(({ service: { app } }) =>
    allow(app.apiKey.create({ name: 'Short-lived' }).then(({ apiKey: { id } }) => app.apiKey.revoke({ id }))),
  ),
  openPage: toNone(async ({ service: { app }, ladderId: streamId, choice }) => {
    const report = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 30 };
    const leaving = new AbortController();
    const values = await app.stream.watch({ streamId }, { signal: leaving.signal });
    for await (const _ of values) {
      await allow(app.playback.report({ streamId, pageId: 'a page', report: { ...report, state: 'playing' } }));
      if (choice.integer(0, 5) === 0) leaving.abort();
    }
    await allow(app.playback.report({ streamId, pageId: 'a page', report: { ...report, state: 'closed' } }));
  }),
  lockStore: toNone(async ({ service, choice }) => {
    using _rival = lockStore(service.folder);
    await sleep(choice.integer(1, 4) * 1_000);
  }),
  fillStore: toNone(async (targets) => {
    using _full = fillDisk();
    const { status } = await ask(targets, 'POST', '/stream', { name: 'Not to be stored' });
    if (status !== 503) throw new Error(`The full store accepted a new stream: ${status}.`);
    await sleep(targets.choice.integer(1, 4) * 1_000);
    const health = await fetch(new URL('/healthz', targets.service.urls.apiBaseUrl));
    if (health.status !== 503) throw new Error(`/healthz with a full store answered ${health.status}.`);
  }),
  wrongKey: toNone(({ service, choice }) =>
    startRtmpPublisher({
      url: `rtmp://127.0.0.1:${service.urls.rtmpPort}/live`,
      signal: new AbortController().signal,
      streamKey: `wrong-${choice.integer(1, 9)}`,
    }).then(
      () => Promise.reject(new Error('A wrong key was accepted.')),
      () => {},
    ),
  ),
  malformedRtmp: toNone(({ service, choice }) =>
    sendGarbage(service.urls.rtmpPort, Buffer.alloc(choice.integer(1, 5_000), choice.integer(0, 255))),
  ),
  malformedHttp: toNone(({ service, choice }) =>
    sendGarbage(service.urls.httpPort, Buffer.from(`GET /hls/x HTTP/1.1\r\nHost: ${'x'.repeat(choice.integer(1, 20_000))}`)),
  ),
  unreadViewer: toNone(({ service, oneClickUrl }) =>
    sendGarbage(
      service.urls.httpPort,
      Buffer.from(`GET ${new URL(oneClickUrl).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200)),
    ),
  ),
  list: toNone((targets) => ask(targets, 'GET', '/stream?limit=5')),
};

/** Operations on the store and its entries; two locks of it at once would only fail each other. */
const onStore = ['lockStore', 'fillStore', 'rename', 'createAndDelete', 'createAndRevokeKey', 'list'];

const namesOf = (isMeant: (touches: readonly Touched[], name: string) => boolean) =>
  Object.entries(operations).flatMap(([name, { touches }]) => (isMeant(touches, name) ? [name] : []));

/** Concurrent actors on each set of streams: one goes live and stops, one publishes. */
export const ownHands: readonly (readonly string[])[] = [
  namesOf((touches) => touches.includes('one-click')),
  namesOf((touches) => touches.includes('ladder') || touches.includes('renditions')),
];

/** Concurrent actors on the parts that all streams share: one disrupts the store, one the ports. */
export const sharedHands: readonly (readonly string[])[] = [
  namesOf((touches, name) => touches.length === 0 && onStore.includes(name)),
  namesOf((touches, name) => touches.length === 0 && !onStore.includes(name)),
];
