import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFfmpegPublisher } from '../ffmpeg-publisher.ts';
import { findFfmpegs } from '../find-processes.ts';
import { fillDisk } from '../full-disk.ts';
import { lockStore } from '../rival-program.ts';
import type { startTestService } from '../test-service.ts';
import type { SeededChoice } from './seeded-choice.ts';

/** What the operations may touch: the bystander is not among it. */
export interface ChaosTargets {
  service: Awaited<ReturnType<typeof startTestService>>;
  oneClickId: string;
  ladderId: string;
  ladderUrl: string;
  profileNames: readonly string[];
  publisher: { current: ReturnType<typeof startFfmpegPublisher> };
  choice: SeededChoice;
}

/** Answers of the interface that are no fault: the stream is in another state than the operation needs. */
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

/** Ends one of the service's ffmpegs; those of the ladder have a filter graph. The bystander has none. */
async function killFfmpeg(isLadder: boolean): Promise<void> {
  const found = (await findFfmpegs(process.pid)).find(
    ({ words }) => words.includes('-filter_complex') === isLadder && words.includes('-progress'),
  );
  if (found) process.kill(found.pid, 'SIGKILL');
}

const ladderStream = ({ ladderId }: ChaosTargets) => `/stream/${ladderId}`;

/** What is done at random, by name. */
export const operations: Readonly<Record<string, (targets: ChaosTargets) => Promise<unknown>>> = {
  stopOneClick: ({ service, oneClickId }) => allow(service.app.broadcast.stop({ streamId: oneClickId })),
  goLive: ({ service, oneClickId }) =>
    allow(service.app.broadcast.goLive({ streamId: oneClickId, source: { kind: 'test-picture' } })),
  terminateOneClick: (targets) => ask(targets, 'DELETE', `/stream/${targets.oneClickId}/terminate`),
  killOneClickEncoder: () => killFfmpeg(false),
  killLadder: () => killFfmpeg(true),
  async restartEncoder(targets) {
    await targets.publisher.current.kill();
    await allow(targets.service.app.broadcast.letIn({ streamId: targets.ladderId }));
    targets.publisher.current = startFfmpegPublisher(targets.ladderUrl, { seconds: 3_600 });
  },
  async takeOver(targets) {
    const previous = targets.publisher.current;
    targets.publisher.current = startFfmpegPublisher(targets.ladderUrl, { seconds: 3_600 });
    // It is sent away by the service; if it is not, that is seen in what plays.
    await Promise.race([previous.ended, sleep(10_000)]);
    await previous.kill();
  },
  async hangEncoder(targets) {
    const hanging = targets.publisher.current;
    hanging.pause();
    await sleep(targets.choice.integer(1, 5) * 1_000);
    await hanging.kill();
    targets.publisher.current = startFfmpegPublisher(targets.ladderUrl, { seconds: 3_600 });
  },
  chooseRenditions({ service, ladderId, profileNames, choice }) {
    const names = profileNames.filter(() => choice.integer(0, 1) === 1);
    return allow(service.app.broadcast.setRenditions({ streamId: ladderId, names }));
  },
  rename: (targets) => ask(targets, 'PATCH', ladderStream(targets), { name: `Ladder ${targets.choice.integer(1, 9)}` }),
  changeProfiles: (targets) => ask(targets, 'PATCH', ladderStream(targets), { profiles: [] }),
  async suspend(targets) {
    await ask(targets, 'PATCH', ladderStream(targets), { suspended: true });
    await sleep(1_000);
    await ask(targets, 'PATCH', ladderStream(targets), { suspended: false });
    await operations.restartEncoder?.(targets);
  },
  async createAndDelete(targets) {
    const { status, body } = await ask(targets, 'POST', '/stream', { name: 'Short-lived' });
    if (status === 201) await ask(targets, 'DELETE', `/stream/${body.id}`);
  },
  async lockStore({ service, choice }) {
    using _rival = lockStore(service.folder);
    await sleep(choice.integer(1, 4) * 1_000);
  },
  async fillStore(targets) {
    using _full = fillDisk();
    const { status } = await ask(targets, 'POST', '/stream', { name: 'Not to be stored' });
    if (status !== 503) throw new Error(`A full store took a new stream: ${status}.`);
    await sleep(targets.choice.integer(1, 4) * 1_000);
    const health = await fetch(new URL('/healthz', targets.service.urls.apiBaseUrl));
    if (health.status !== 503) throw new Error(`With a full store, /healthz answered ${health.status}.`);
  },
  malformedRtmp: ({ service, choice }) =>
    sendGarbage(service.urls.rtmpPort, Buffer.alloc(choice.integer(1, 5_000), choice.integer(0, 255))),
  malformedHttp: ({ service, choice }) =>
    sendGarbage(service.urls.httpPort, Buffer.from(`GET /hls/x HTTP/1.1\r\nHost: ${'x'.repeat(choice.integer(1, 20_000))}`)),
  list: (targets) => ask(targets, 'GET', '/stream?limit=5'),
};
