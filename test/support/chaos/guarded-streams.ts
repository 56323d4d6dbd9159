import type { Profile } from '../../../src/shared/model/profile.ts';
import { startFaultProxy } from '../fault-proxy.ts';
import { startFfmpegPublisher } from '../ffmpeg-publisher.ts';
import { encodeLightly } from '../light-encode.ts';
import { type LiveViewer, startLiveViewer } from '../live-viewer.ts';
import type { startTestService } from '../test-service.ts';
import { watchHarm } from './harm-watch.ts';
import type { LagMeter } from './lag-meter.ts';
import type { ChaosTargets, Touched } from './operations.ts';
import { watchTruth } from './truth-watch.ts';

/** A part of 200 ms is packaged, announced and fetched within this time of its last byte. */
const sourceHeldMs = 1_000;
/** Our own encoder may pause this long before that counts as trouble (`lastSeenBadMs`); then its media has to arrive. */
const oneClickHeldMs = 3_000 + sourceHeldMs;
/** A rendition's ffmpeg may lag this much before it counts as slow (`maxLagMs`); then its media has to arrive. */
const renditionHeldMs = 1_000 + sourceHeldMs;

type Service = Awaited<ReturnType<typeof startTestService>>;
/** The parts that a set of streams needs. */
export type StreamSetOptions = Pick<ChaosTargets, 'source' | 'videoBitrateBps' | 'profiles'>;

/** Streams and their watchers. Disposing ends the watchers and the publishers; one-click broadcasts stay until the service closes. */
export interface GuardedStreams extends AsyncDisposable {
  /** Their playbacks, and the operations that may affect each. */
  guards: readonly { harm: ReturnType<typeof watchHarm>; touched?: Touched }[];
  truths: readonly ReturnType<typeof watchTruth>[];
  viewers: readonly LiveViewer[];
}

async function createStream(service: Service, name: string, profiles: readonly Profile[] = []) {
  const { status, body } = await service.api('POST', '/stream', { name, profiles });
  if (status !== 201) throw new Error(`The stream was not created: ${JSON.stringify(body)}`);
  const base = `${service.urls.playbackBaseUrl}/${body.playbackId}`;
  const wire = await startFaultProxy(service.urls.rtmpPort);
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

type Watched = Omit<GuardedStreams, typeof Symbol.asyncDispose>;

async function stopWatching({ guards, truths, viewers }: Watched): Promise<void> {
  for (const { harm } of guards) harm[Symbol.dispose]();
  for (const watcher of [...truths, ...viewers]) await watcher[Symbol.asyncDispose]();
}

/** A stream that no operation touches, and its publisher. */
export async function startBystander(service: Service, lag: LagMeter): Promise<GuardedStreams & { streamId: string }> {
  const stream = await createStream(service, 'bystander');
  const truth = watchTruth(service.app, stream, lag);
  const publisher = startFfmpegPublisher(stream.publishUrl);
  const watched = {
    guards: [{ harm: watchHarm({ ...stream, truth, longestHeldMs: sourceHeldMs }, lag) }],
    truths: [truth],
    viewers: [stream.viewer],
  };
  return {
    ...watched,
    streamId: stream.streamId,
    async [Symbol.asyncDispose]() {
      await stopWatching(watched);
      await publisher.kill();
      await stream.wire[Symbol.asyncDispose]();
    },
  };
}

/** A one-click broadcast and a ladder with its publisher, for operations on them. */
export async function startStreamSet(
  service: Service,
  label: string,
  { source, videoBitrateBps, profiles }: StreamSetOptions,
  lag: LagMeter,
): Promise<GuardedStreams & { targets: Omit<ChaosTargets, 'choice'> }> {
  // A one-click broadcast has no wire of its own to compare with.
  const { wire: unused, ...oneClick } = await createStream(service, `one click ${label}`);
  const ladder = await createStream(service, `ladder ${label}`, profiles);
  const renditionViewer = startLiveViewer(`${ladder.base}/${profiles[0]?.name}/index.m3u8`);
  const [oneClickTruth, ladderTruth] = [watchTruth(service.app, oneClick, lag), watchTruth(service.app, ladder, lag)];
  const rendition = { name: `a rendition ${label}`, viewer: renditionViewer, truth: ladderTruth, wire: ladder.wire };
  const targets = {
    service,
    profiles,
    source,
    videoBitrateBps,
    oneClickId: oneClick.streamId,
    ladderId: ladder.streamId,
    oneClickUrl: oneClick.multivariantUrl,
    ladderUrlOf: ladder.publishUrlOf,
    publisher: { current: startFfmpegPublisher(ladder.publishUrl), url: ladder.publishUrl },
  };
  const watched: Watched = {
    guards: [
      { touched: 'one-click', harm: watchHarm({ ...oneClick, truth: oneClickTruth, longestHeldMs: oneClickHeldMs }, lag) },
      { touched: 'ladder', harm: watchHarm({ ...ladder, truth: ladderTruth, longestHeldMs: sourceHeldMs }, lag) },
      { touched: 'renditions', harm: watchHarm({ ...rendition, longestHeldMs: renditionHeldMs }, lag) },
    ],
    truths: [oneClickTruth, ladderTruth],
    viewers: [oneClick.viewer, ladder.viewer, renditionViewer],
  };
  const started = {
    ...watched,
    targets,
    async [Symbol.asyncDispose]() {
      await stopWatching(watched);
      await targets.publisher.current.kill();
      for (const wire of [unused, ladder.wire]) await wire[Symbol.asyncDispose]();
    },
  };
  await using unfinished = new AsyncDisposableStack();
  unfinished.use(started);
  await service.app.broadcast.goLive({ streamId: oneClick.streamId, source, encode: encodeLightly({ videoBitrateBps }) });
  unfinished.move();
  return started;
}
