import type { AddressInfo } from 'node:net';
import { parseStreamRef } from '../shared/model/stream-ref.ts';
import type { ServiceInfo } from '../shared/model/views.ts';
import { defaultHttpBounds, defaultIngestBounds, fitToDescriptors, type ServiceConfig } from './config.ts';
import { createVerdictFollower } from './handlers/follow-verdicts.ts';
import { createOwnStreams } from './handlers/own-streams.ts';
import { type ContractRouter, createRouter } from './handlers/router.ts';
import { StreamViews } from './handlers/stream-views.ts';
import { MeantSilences } from './health/meant-silences.ts';
import { PlayReports } from './health/play-reports.ts';
import { playbackRoutes } from './hls/hls-routes.ts';
import { addApiRoutes } from './http/api-routes.ts';
import { addHealthRoute } from './http/health-route.ts';
import { createHttpServer, listenOn } from './http/http-server.ts';
import { startRtmpServer } from './ingest/rtmp-server.ts';
import { forgetBrowserAddresses } from './lib/browser-addresses.ts';
import { describeCloseFailure } from './lib/close-failure.ts';
import { lockDataFolder } from './lib/data-folder-lock.ts';
import { findDescriptorLimit } from './lib/descriptor-limit.ts';
import { createFaultLog } from './lib/fault-log.ts';
import { onFault, runHarmlessly } from './lib/faults.ts';
import { NetworkWatch } from './lib/network-watch.ts';
import type { ProcessEndCause } from './lib/process-end.ts';
import { SleepWatch } from './lib/sleep-watch.ts';
import { waitForSlowAddresses } from './lib/slow-addresses.ts';
import { startOnPort } from './lib/start-on-port.ts';
import { createLiveControl } from './live-control.ts';
import { findEncodeTools } from './one-click/encode-tools.ts';
import type { OneClicks } from './one-click/one-clicks.ts';
import { showsDisplay } from './one-click/shows-display.ts';
import { startFindingTools } from './one-click/start-finding-tools.ts';
import { openOneClicks } from './open-one-clicks.ts';
import { openRegions } from './open-regions.ts';
import { openServices } from './open-services.ts';
import { openSessions } from './open-sessions.ts';
import { openSources } from './open-sources.ts';
import { openStore } from './open-store.ts';
import type { HostPorts } from './ports.ts';
import { startMediaPublisher } from './rtmp/unit-publisher.ts';
import { ServiceInfoSource } from './service-info.ts';
import { ServicePorts } from './service-ports.ts';
import type { LiveStream } from './session/live-stream.ts';
import { createAudioMeters } from './session/start-audio-meter.ts';
import type { StartOptions } from './start-options.ts';
import type { LiveControl } from './streams/live-control.ts';
import { openTls } from './tls/open-tls.ts';
import { EncoderChooser } from './transcode/encoder-choice.ts';

/** A running service. */
export interface RunningService {
  /** The service's addresses and what it found, as of now. */
  info(): ServiceInfo;
  /** The contract's implementation, for a host to serve to the app's own screens. */
  readonly router: ContractRouter;
  /** The origins besides this service's that pages play from: remote streams, and broadcasts that go to other regions. */
  remoteMediaOrigins(): string[];
  /** Whether a broadcast shows a screen or a window. `stream.watchAll` has an event after each change. */
  showsDisplay(): boolean;
  /**
   * Ends every broadcast and closes every socket and the store, in under 5 s. May be called twice. If a part fails to close, the others
   * are still closed, and the promise rejects with that failure.
   *
   * @param cause whether a bug closes it: broadcasts on air are lost then, as after a crash without a close
   */
  close(cause?: ProcessEndCause): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
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
    ladderBounds,
    openPublication = startMediaPublisher,
    tlsCheckMs,
    regionPatienceMs,
    readAddresses,
    onRenditionNews,
  }: StartOptions,
  opened: AsyncDisposableStack,
): Promise<RunningService> {
  const { clock, log } = ports;
  const { host, version } = config;
  opened.defer(onFault(createFaultLog(log)));
  waitForSlowAddresses();
  const bounds = fitToDescriptors({ ingest: ingestBounds, http: defaultHttpBounds }, findDescriptorLimit());
  const lock = lockDataFolder(config.dataFolder);
  opened.defer(() => lock.close());
  await forgetBrowserAddresses(config.dataFolder);

  const store = await openStore(config, ports, () => live);
  opened.defer(() => store.close());
  const { streams, choices, changes, apiKeys, settings } = store;
  const givenFrom = config.givenSettings?.sources;
  const tls = await openTls(settings.get(), {
    isGiven: givenFrom?.tlsCertificatePath !== undefined || givenFrom?.tlsKeyPath !== undefined,
    clock,
    log,
    checkMs: tlsCheckMs,
  });
  opened.defer(() => tls.files?.close());

  const closing = new AbortController();
  opened.defer(() => closing.abort());
  const tools = startFindingTools(() => findEncodeTools(config.dataFolder), closing.signal);
  const encoders = new EncoderChooser({
    ffmpeg: async () => (await tools.find()).ffmpeg,
    choice: () => settings.get().encoder,
    dataFolder: config.dataFolder,
    closing: closing.signal,
    log,
  });
  // In parallel with everything else, so that the result is known when the first broadcast begins; and again for each other ffmpeg.
  tools.onFound(() => runHarmlessly(() => encoders.try(), 'trying the encoders'));
  let followVerdict: ((live: LiveStream) => void) | undefined;
  const sleepWatch = new SleepWatch(clock);
  if (ports.onSleepSignal) opened.defer(ports.onSleepSignal((signal) => sleepWatch.hear(signal)));
  const startAudioMeter = createAudioMeters({
    encoders,
    clock,
    loudnessTargetLufs: () => settings.get().loudnessTargetLufs,
  });
  const registry = await openSessions(
    {
      dataFolder: config.dataFolder,
      clock,
      log,
      store,
      encoders,
      startAudioMeter,
      sleepWatch,
      isElsewhere: (streamId) => routes.isElsewhere(streamId),
      ladderBounds,
      onRenditionNews,
      onTick(live) {
        followVerdict?.(live);
        const { air } = live;
        if (air.kind !== 'on-air') return;
        // What failed or was lost before says nothing about this broadcast.
        routes.noteOnAirHere(live.streamId, air.since);
        if (live.isForeign) oneClicks.forgetFailure(live.streamId);
      },
      closing: closing.signal,
    },
    opened,
  );

  const listening = new ServicePorts(config, () => settings.get());
  const rtmp = await startOnPort(listening.choose('RTMP'), (port) =>
    startRtmpServer({ host, port, bounds: bounds.ingest, gate: registry, tls: tls.files, log, clock }),
  );
  opened.defer(() => rtmp.close());
  // Publishers hear the reason before their sockets are closed.
  let closeCause: ProcessEndCause | undefined;
  opened.defer(async () => {
    const ended = registry.close(closeCause);
    // At the same time: connections that don't read take a second, and ffmpegs that hang leave none.
    runHarmlessly(() => rtmp.close(), 'closing the RTMP ingest');
    await ended;
  });

  const oneClickStates = () => oneClicks.streamIds.map((streamId) => oneClicks.state(streamId));
  const sources = openSources(
    {
      clock,
      tools,
      pageHost: ports.capturePage,
      isDeviceRefused: ports.isDeviceRefused,
      oneClickStates,
    },
    opened,
  );
  const network = new NetworkWatch(readAddresses);
  const oneClicks: OneClicks = openOneClicks({
    clock,
    network,
    tools,
    encoders,
    startAudioMeter,
    store,
    sources,
    services: () => services,
    // Not before: a Go live that fails before it has anything to send must not end the hold.
    onSourceChanged: (streamId) => registry.findLive(streamId)?.forgetLoudness(),
    onReady(streamId) {
      if (parseStreamRef(streamId).serviceId !== undefined) return;
      registry.findLive(streamId)?.letIn('own');
      routes.begin(streamId);
      // Before anything comes: what happens to a broadcast to another region is logged there.
      registry.open(streams.getKeyless(streamId));
    },
    onChange(streamId) {
      routes.follow(streamId, oneClicks.state(streamId));
      changes.emit({ kind: 'changed', streamId });
    },
  });
  changes.on(({ kind, streamId }) => {
    if (kind === 'deleted') routes.forgetLost(streamId);
  });
  const live: LiveControl = createLiveControl({ registry, oneClicks, routes: () => routes });

  const address = () => {
    const httpPort = (http.server.address() as AddressInfo | null)?.port ?? settings.get().httpPort;
    return { host, httpPort, rtmpPort: rtmp.port, hasTls: tls.files !== undefined };
  };
  const { meter, regions, routes } = openRegions(
    { clock, store, address, registry, oneClicks, openPublication, patienceMs: regionPatienceMs },
    opened,
  );
  const info = new ServiceInfoSource({
    config,
    secrets: ports.secrets,
    store,
    tools,
    encoders,
    tls,
    regions,
    movedPorts: listening.moved,
    address,
  });
  const playReports = new PlayReports({ clock, onChange: (streamId) => changes.emit({ kind: 'changed', streamId }) });
  const silences = new MeantSilences();
  const { remotes, services } = openServices({
    clock,
    store,
    own: () => ownStreams,
    oneClicks,
    playReports,
    silences,
    sleepWatch,
    meter,
    openPublication,
    regionPatienceMs,
    signal: closing.signal,
  });
  const views = new StreamViews({ streams, registry, oneClicks, choices, playReports, routes, silences, sleepWatch, clock });
  followVerdict = createVerdictFollower(views, clock);
  const ownStreams = createOwnStreams({
    streams,
    views,
    changes,
    registry,
    live,
    oneClicks,
    services,
    silences,
    regions,
    routes,
  });
  const router = createRouter({
    info: () => info.get(),
    onInfoChange: (listener) => info.onChange(listener),
    streams,
    changes,
    registry,
    live,
    oneClicks,
    choices,
    network,
    devices: sources.devices,
    previews: sources.previews,
    pageCaptures: sources.pageCaptures,
    pageMedia: sources.pageMedia,
    playReports,
    apiKeys,
    services,
    remotes,
    settings,
    regions,
    clock,
    log,
    views,
  });

  const http = createHttpServer({ log, bounds: bounds.http, tls: tls.files });
  opened.defer(() => http.close());
  opened.defer(sources.pageMedia.serve(http.server));
  addApiRoutes(http, { streams, apiKeys, regions, version });
  addHealthRoute(http, async () => [await store.findProblem(), rtmp.findProblem()].filter((problem) => problem !== undefined));
  await http.register(playbackRoutes(registry), { prefix: '/hls' });
  await extendHttp?.(http, { router });
  await startOnPort(listening.choose('HTTP'), (port) => listenOn(http, { host, port }));
  // In the background, so that the first caller doesn't wait for it.
  if (settings.get().regions.length > 0) regions.measure();
  // Closed first: our encoders must end before their ingest does.
  opened.defer(() => oneClicks.close());

  const closeAll = async (cause: ProcessEndCause | undefined) => {
    closeCause = cause;
    // Before our own encoders say goodbye, as if they were stopped.
    if (cause?.hasCrashed) registry.endAll(cause);
    // Before the rest, so that everything the other parts wait for ends sooner.
    closing.abort();
    try {
      await opened.disposeAsync();
    } catch (error) {
      throw describeCloseFailure(error);
    }
  };
  let closed: Promise<void> | undefined;
  const close = (cause?: ProcessEndCause) => {
    closed ??= closeAll(cause);
    return closed;
  };
  const remoteMediaOrigins = () => [...remotes.mediaOrigins(), ...regions.mediaOrigins()];
  return {
    info: () => info.get(),
    router,
    remoteMediaOrigins,
    showsDisplay: () => oneClickStates().some(showsDisplay),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
