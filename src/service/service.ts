import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ServiceNotice } from '../shared/model/service-notice.ts';
import { parseStreamRef } from '../shared/model/stream-ref.ts';
import type { ServiceInfo } from '../shared/model/views.ts';
import { isSentFromHere } from '../shared/one-click-failure.ts';
import { DeviceWatch } from './capture/devices/device-watch.ts';
import { SourcePreviews } from './capture/source-previews.ts';
import {
  defaultHttpBounds,
  defaultIngestBounds,
  fitToDescriptors,
  type HttpBounds,
  type IngestBounds,
  maxMediaBytes,
  type ServiceConfig,
} from './config.ts';
import { createVerdictFollower } from './handlers/follow-verdicts.ts';
import { createOwnStreams } from './handlers/own-streams.ts';
import { type ContractRouter, createRouter } from './handlers/router.ts';
import { StreamViews } from './handlers/stream-views.ts';
import { PlayReports } from './health/play-reports.ts';
import { playbackRoutes } from './hls/hls-routes.ts';
import { MediaMemory } from './hls/media-memory.ts';
import { openSegmentArchive } from './hls/segment-archive.ts';
import { addApiRoutes } from './http/api-routes.ts';
import { addHealthRoute } from './http/health-route.ts';
import { createHttpServer } from './http/http-server.ts';
import { startRtmpServer } from './ingest/rtmp-server.ts';
import { describeCloseFailure } from './lib/close-failure.ts';
import { lockDataFolder } from './lib/data-folder-lock.ts';
import { findDescriptorLimit } from './lib/descriptor-limit.ts';
import { createFaultLog } from './lib/fault-log.ts';
import { onFault, runHarmlessly } from './lib/faults.ts';
import { NetworkWatch } from './lib/network-watch.ts';
import { SleepWatch } from './lib/sleep-watch.ts';
import { startOnPort } from './lib/start-on-port.ts';
import { createLiveControl } from './live-control.ts';
import { EncodeCosts } from './one-click/encode-costs.ts';
import { EncodePlanner } from './one-click/encode-planner.ts';
import { OneClicks } from './one-click/one-clicks.ts';
import { startFindingTools } from './one-click/start-finding-tools.ts';
import { UploadSpeeds } from './one-click/upload-speeds.ts';
import { openStore } from './open-store.ts';
import { PageMedia } from './page-capture/page-media.ts';
import { startPageCaptures } from './page-capture/start-page-captures.ts';
import type { HostPorts } from './ports.ts';
import { RegionMeter } from './regions/region-meter.ts';
import { RegionRoutes } from './regions/region-routes.ts';
import { Regions } from './regions/regions.ts';
import { RemoteServices } from './remote/remote-services.ts';
import { RemoteStreams } from './remote/remote-streams.ts';
import { startRtmpPublisher } from './rtmp/rtmp-client.ts';
import { StreamServices } from './services/stream-services.ts';
import type { LiveStream } from './session/live-stream.ts';
import type { RenditionNews } from './session/rendition-news.ts';
import { SessionRegistry } from './session/session-registry.ts';
import { startAudioMeter } from './session/start-audio-meter.ts';
import { startLadder } from './session/start-ladder.ts';
import type { LiveControl } from './streams/live-control.ts';
import { randomAlphanumerics } from './streams/random-text.ts';
import { openTls } from './tls/open-tls.ts';
import { EncoderChooser } from './transcode/encoder-choice.ts';
import type { LadderBounds } from './transcode/ladder-bounds.ts';

/** A running service. */
export interface RunningService {
  /** The service's addresses and what it found, as of now. */
  info(): ServiceInfo;
  /** The contract's implementation, for a host to serve to the app's own screens. */
  readonly router: ContractRouter;
  /** The origins besides this service's that pages play from: remote streams, and broadcasts that go to other regions. */
  remoteMediaOrigins(): string[];
  /**
   * Ends every broadcast and closes every socket and the store, in under 5 s. May be called twice. If a part fails to close, the others
   * are still closed, and the promise rejects with that failure.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StartOptions {
  /** Adds the host's own routes before the HTTP server listens. */
  extendHttp?: (app: FastifyInstance, context: { router: ContractRouter }) => void | Promise<void>;
  /** Called when renditions are shed and when they return. */
  onRenditionNews?: (news: RenditionNews) => void;
  /** Limits of RTMP ingest; tests pass small ones. */
  ingestBounds?: IngestBounds;
  /** Limits of the HTTP server; tests pass small ones. */
  httpBounds?: HttpBounds;
  /** Limits of the ladders; tests on busy computers pass generous ones. */
  ladderBounds?: LadderBounds;
  /** How one click connects to its ingest; tests put a bad network in between. */
  openPublication?: typeof startRtmpPublisher;
  /** How often the TLS files are checked for renewed ones; tests don't wait. */
  tlsCheckMs?: number;
  /** How long *Go live* waits for a region that was lost before it looks for another; tests don't wait. */
  regionPatienceMs?: number;
}

/**
 * Opens the service's parts in order: data folder, store, live sessions, RTMP ingest, HTTP.
 *
 * @throws {ServiceError} DATA_FOLDER_IN_USE, PORT_IN_USE, KEYCHAIN_UNAVAILABLE, TLS_UNUSABLE or UNAVAILABLE; opened parts are closed first
 */
export async function startService(
  config: ServiceConfig,
  ports: HostPorts,
  options: StartOptions = {},
): Promise<RunningService> {
  const opened = new AsyncDisposableStack();
  try {
    return await openParts(config, ports, options, opened);
  } catch (error) {
    // Report why the start failed, not failures that follow from it.
    await opened
      .disposeAsync()
      .catch((failure: unknown) =>
        ports.log.error(
          { err: describeCloseFailure(failure) },
          'A part of the service could not be closed after the failed start.',
        ),
      );
    throw error;
  }
}

async function openParts(
  config: ServiceConfig,
  ports: HostPorts,
  {
    extendHttp,
    ingestBounds = defaultIngestBounds,
    httpBounds = defaultHttpBounds,
    ladderBounds,
    openPublication = startRtmpPublisher,
    tlsCheckMs,
    regionPatienceMs,
    onRenditionNews,
  }: StartOptions,
  opened: AsyncDisposableStack,
): Promise<RunningService> {
  const { clock, log } = ports;
  const { host, version } = config;
  opened.defer(onFault(createFaultLog(log)));
  const bounds = fitToDescriptors({ ingest: ingestBounds, http: httpBounds }, findDescriptorLimit());
  const lock = lockDataFolder(config.dataFolder);
  opened.defer(() => lock.close());

  const store = await openStore(config.dataFolder, ports, () => live, config.givenSettings);
  opened.defer(() => store.close());
  const { streams, ledger, holds, choices, changes, apiKeys, settings } = store;
  const sources = config.givenSettings?.sources ?? {};
  const { files: tls, notices: tlsNotices } = await openTls(settings.get(), {
    isGiven: sources.tlsCertificatePath !== undefined || sources.tlsKeyPath !== undefined,
    clock,
    log,
    checkMs: tlsCheckMs,
  });
  opened.defer(() => tls?.close());

  const tools = startFindingTools(config.dataFolder);
  const closing = new AbortController();
  opened.defer(() => closing.abort());
  const encoders = new EncoderChooser({
    ffmpeg: async () => (await tools.found).ffmpeg,
    choice: () => settings.get().encoder,
    dataFolder: config.dataFolder,
    closing: closing.signal,
    log,
  });
  // In parallel with everything else, so that the result is known when the first broadcast begins.
  runHarmlessly(() => encoders.try(), 'trying the encoders');
  const archive = await openSegmentArchive(config.dataFolder);
  opened.defer(() => archive.close());
  let followVerdict: ((live: LiveStream) => void) | undefined;
  const sleepWatch = new SleepWatch(clock);
  const registry: SessionRegistry = new SessionRegistry({
    streams,
    ledger,
    holds,
    changes,
    clock,
    log,
    archive,
    memory: new MediaMemory(maxMediaBytes),
    onRenditionNews,
    sleepWatch,
    onTick: (live) => followVerdict?.(live),
    startLadder: (options) =>
      startLadder(options, { encoders, clock, closing: closing.signal, ...(ladderBounds && { bounds: ladderBounds }) }),
    startAudioMeter: (onMeasured) => startAudioMeter({ encoders, clock, onMeasured }),
    reconnectWindowMs: () => settings.get().reconnectWindowSeconds * 1000,
    liveWindowSeconds: () => settings.get().liveWindowSeconds,
    partMs: () => settings.get().partMs,
  });
  opened.defer(() => registry.close());

  const rtmp = await startOnPort(
    { asked: config.rtmpPort, preferred: settings.get().rtmpPort, purpose: 'RTMP', option: '--rtmp-port' },
    (port) => startRtmpServer({ host, port, bounds: bounds.ingest, gate: registry, tls, log, clock }),
  );
  opened.defer(() => rtmp.close());
  // Publishers hear the reason before their sockets are closed.
  opened.defer(() => registry.close());

  const devices = new DeviceWatch(async () => {
    const { ffmpeg } = await tools.found;
    return ffmpeg.kind === 'found' ? ffmpeg.path : undefined;
  });
  opened.defer(() => devices.close());
  const pageMedia = new PageMedia(clock);
  const previews = new SourcePreviews({
    clock,
    findTools: async () => {
      const { ffmpeg, clockFontPath } = await tools.found;
      return ffmpeg.kind === 'found' ? { ffmpegPath: ffmpeg.path, clockFontPath, devices, pages: pageMedia } : undefined;
    },
  });
  opened.defer(() => previews.close());
  const network = new NetworkWatch();
  const costs = new EncodeCosts(store.measured.costs);
  const speeds = new UploadSpeeds(store.measured.speeds, () => clock.now());
  const findIngest = (streamId: string) => services.at(streamId, (service, id) => service.ingestAddress(id));
  const findTools = () => tools.found;
  const pickEncoder = async () => (await encoders.pickSoon()).encoder;
  const oneClicks = new OneClicks({
    clock,
    network,
    findTools,
    pickEncoder,
    planner: new EncodePlanner({
      findTools,
      pickEncoder,
      costs,
      findUpload: (streamId) => {
        const ingest = findIngest(streamId);
        return ingest === undefined ? undefined : speeds.find(ingest);
      },
      findProfiles: (streamId) => services.at(streamId, (service, id) => service.profilesMadeHere(id)),
    }),
    devices,
    pages: pageMedia,
    looksAhead: () => settings.get().lookahead,
    costs,
    // Not before: a Go live that fails before it has anything to send must not end the hold.
    onReady(streamId) {
      registry.findLive(streamId)?.letIn('own');
      if (parseStreamRef(streamId).serviceId === undefined) routes.begin(streamId);
    },
    connect: (streamId, signal) => services.at(streamId, (service, id) => service.connect(id, signal)),
    onChange(streamId) {
      if (!isSentFromHere(oneClicks.state(streamId))) routes.forget(streamId);
      changes.emit({ kind: 'changed', streamId });
    },
    onFailed: (streamId, failure) => services.at(streamId, (service, id) => service.ownEncoderFailed(id, failure)),
    onTrouble: (streamId, event) => services.at(streamId, (service, id) => service.noteTrouble(id, event)),
    onCarried: (streamId, carried) => {
      const ingest = findIngest(streamId);
      if (ingest !== undefined) speeds.note(ingest, carried);
    },
  });

  const remotes = new RemoteServices({
    ledger: store.remotes,
    clock,
    newId: () => randomAlphanumerics(12),
    signal: closing.signal,
    isInUse: (serviceId) =>
      oneClicks.streamIds.some(
        (streamId) => parseStreamRef(streamId).serviceId === serviceId && isSentFromHere(oneClicks.state(streamId)),
      ),
  });

  const pageCaptures = startPageCaptures({
    clock,
    host: ports.capturePage,
    oneClicks: () => oneClicks.streamIds.map((streamId) => oneClicks.state(streamId)),
  });
  opened.defer(() => pageCaptures.close());

  const live: LiveControl = createLiveControl({ registry, oneClicks });

  const address = () => {
    const httpPort = (http.server.address() as AddressInfo | null)?.port ?? settings.get().httpPort;
    return { host, httpPort, rtmpPort: rtmp.port };
  };
  const meter = new RegionMeter({ clock });
  opened.defer(() => meter.close());
  const regions = new Regions({
    settings: settings.get,
    address: () => ({ ...address(), hasTls: tls !== undefined }),
    meter,
  });

  const routes: RegionRoutes = new RegionRoutes({
    regions,
    clock,
    publish: (url, streamId, signal) => openPublication({ url, streamKey: streams.revealKey(streamId), signal }),
    findPlaybackId: (streamId) => streams.getKeyless(streamId).playbackId,
    mayChange: () => settings.get().changesRegion,
    patienceMs: regionPatienceMs,
    retry: (streamId) => oneClicks.reconnectNow(streamId),
    onChange: (streamId) => changes.emit({ kind: 'changed', streamId }),
    onEvent: (streamId, event) => registry.open(streams.getKeyless(streamId)).note('warn', event),
  });
  opened.defer(() => routes.close());

  const info = (): ServiceInfo => {
    const { regionCode, httpPort: preferredHttpPort, rtmpPort: preferredRtmpPort } = settings.get();
    const { httpPort } = address();
    const own = regions.own();
    return {
      version,
      apiBaseUrl: `${own.reach.base}/api`,
      ingestBaseUrl: own.ingest,
      playbackBaseUrl: own.playback,
      localIngestBaseUrl: own.reach.ingest,
      localPlaybackBaseUrl: own.reach.playback,
      httpPort,
      rtmpPort: rtmp.port,
      dataFolder: config.dataFolder,
      regionCode,
      secrets: ports.secrets.kind,
      ffmpeg: tools.current.ffmpeg,
      encoders: encoders.found,
      ...(tls && { tls: { certificatePath: tls.paths.certificatePath, expiresAt: tls.pair.expiresAt } }),
      regionOrigins: regions.mediaOrigins(),
      settingSources: sources,
      notices: [
        ...store.notices,
        ...noticePort('HTTP', config.httpPort, preferredHttpPort, httpPort),
        ...noticePort('RTMP', config.rtmpPort, preferredRtmpPort, rtmp.port),
        ...tlsNotices,
        ...(tls?.notices ?? []),
      ],
    };
  };

  const services: StreamServices = new StreamServices({
    own: () => ownStreams,
    remotes,
    open: (serviceId) =>
      new RemoteStreams({
        serviceId,
        remotes,
        oneClicks,
        choices,
        playReports,
        changes,
        meter,
        publish: openPublication,
        clock,
        mayChangeRegion: () => settings.get().changesRegion,
        regionPatienceMs,
      }),
    oneClickIds: () => oneClicks.streamIds,
  });
  const playReports = new PlayReports({ clock, onChange: (streamId) => changes.emit({ kind: 'changed', streamId }) });
  const views = new StreamViews({ streams, registry, oneClicks, choices, playReports, routes, sleepWatch, clock });
  followVerdict = createVerdictFollower(views, clock);
  const ownStreams = createOwnStreams({
    info,
    streams,
    views,
    changes,
    registry,
    live,
    oneClicks,
    services,
    regions,
    routes,
  });
  const router = createRouter({
    info,
    streams,
    changes,
    registry,
    live,
    oneClicks,
    choices,
    network,
    pageCaptures: pageCaptures.captures,
    pageMedia,
    devices,
    previews,
    playReports,
    apiKeys,
    services,
    remotes,
    settings,
    regions,
    clock,
    log,
    views,
    onInfoChange(listener) {
      const offs = [settings.onChange(listener), tools.onFound(listener), encoders.onFound(listener), store.onNotice(listener)];
      if (tls) offs.push(tls.onChange(listener));
      return () => {
        for (const off of offs) off();
      };
    },
  });

  const http = createHttpServer({ log, bounds: bounds.http, tls });
  opened.defer(() => http.close());
  opened.defer(pageMedia.serve(http.server));
  addApiRoutes(http, {
    streams,
    apiKeys,
    regions,
    version,
  });
  addHealthRoute(http, async () => [await store.findProblem(), rtmp.findProblem()].filter((problem) => problem !== undefined));
  await http.register(playbackRoutes(registry), { prefix: '/hls' });
  await extendHttp?.(http, { router });
  await startOnPort(
    { asked: config.httpPort, preferred: settings.get().httpPort, purpose: 'HTTP', option: '--http-port' },
    (port) => http.listen({ host, port }),
  );
  // In the background, so that the first caller doesn't wait for it.
  if (settings.get().regions.length > 0) regions.measure();
  // Closed first: our encoders must end before their ingest does.
  opened.defer(() => oneClicks.close());

  const closeAll = async () => {
    // First, so that everything the other parts wait for ends sooner.
    closing.abort();
    try {
      await opened.disposeAsync();
    } catch (error) {
      throw describeCloseFailure(error);
    }
  };
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeAll();
    return closed;
  };
  const remoteMediaOrigins = () => [...remotes.mediaOrigins(), ...regions.mediaOrigins()];
  return { info, router, remoteMediaOrigins, close, [Symbol.asyncDispose]: close };
}

function noticePort(purpose: 'HTTP' | 'RTMP', asked: number | undefined, preferred: number, port: number): ServiceNotice[] {
  return asked === undefined && port !== preferred ? [{ code: 'port-in-use', purpose, preferred, port }] : [];
}
