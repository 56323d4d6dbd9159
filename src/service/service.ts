import { parseStreamRef } from '../shared/model/stream-ref.ts';
import type { ServiceInfo } from '../shared/model/views.ts';
import type { ServiceConfig } from './config.ts';
import { createVerdictFollower } from './handlers/follow-verdicts.ts';
import { createOwnStreams } from './handlers/own-streams.ts';
import { type ContractRouter, createRouter } from './handlers/router.ts';
import { StreamViews } from './handlers/stream-views.ts';
import { MeantSilences } from './health/meant-silences.ts';
import { PlayReports } from './health/play-reports.ts';
import { forgetBrowserAddresses } from './lib/browser-addresses.ts';
import { describeCloseFailure } from './lib/close-failure.ts';
import { lockDataFolder } from './lib/data-folder-lock.ts';
import { createFaultLog } from './lib/fault-log.ts';
import { onFault } from './lib/faults.ts';
import { NetworkWatch } from './lib/network-watch.ts';
import type { ProcessEndCause } from './lib/process-end.ts';
import { SleepWatch } from './lib/sleep-watch.ts';
import { waitForSlowAddresses } from './lib/slow-addresses.ts';
import { createLiveControl } from './live-control.ts';
import type { OneClicks } from './one-click/one-clicks.ts';
import { showsDisplay } from './one-click/shows-display.ts';
import { openDoors } from './open-doors.ts';
import { openEncoding } from './open-encoding.ts';
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
import type { StartOptions } from './start-options.ts';
import type { LiveControl } from './streams/live-control.ts';
import { openTls } from './tls/open-tls.ts';

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
 * Opens the service's parts in order: data folder, store, live sessions, what broadcasts from here, and the doors: RTMP and HTTP.
 *
 * @throws {ServiceError} DATA_FOLDER_IN_USE, PORT_IN_USE, KEYCHAIN_UNAVAILABLE, MASTER_KEY_MISSING, TLS_UNUSABLE or UNAVAILABLE;
 *   INVALID_INPUT if given settings disagree. Opened parts are closed first
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
  options: StartOptions,
  opened: AsyncDisposableStack,
): Promise<RunningService> {
  const { clock, log } = ports;
  const { host, version, dataFolder } = config;
  const { extendHttp, ingestBounds, ladderBounds, regionPatienceMs, onRenditionNews } = options;
  const { openPublication = startMediaPublisher } = options;
  opened.defer(onFault(createFaultLog(log)));
  waitForSlowAddresses();
  const lock = lockDataFolder(dataFolder);
  opened.defer(() => lock.close());
  await forgetBrowserAddresses(dataFolder);

  const store = await openStore(config, ports, () => live);
  opened.defer(() => store.close());
  const { streams, choices, changes, apiKeys, settings } = store;
  const givenFrom = config.givenSettings?.sources;
  const tls = await openTls(settings.get(), {
    isGiven: givenFrom?.tlsCertificatePath !== undefined || givenFrom?.tlsKeyPath !== undefined,
    clock,
    log,
    checkMs: options.tlsCheckMs,
  });
  opened.defer(() => tls.files?.close());

  const closing = new AbortController();
  opened.defer(() => closing.abort());
  const { tools, encoders, startAudioMeter } = openEncoding({ dataFolder, store, clock, log, closing: closing.signal });
  const sleepWatch = new SleepWatch(clock);
  if (ports.onSleepSignal) opened.defer(ports.onSleepSignal((signal) => sleepWatch.hear(signal)));
  const registry = await openSessions(
    {
      dataFolder,
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
        followVerdict(live);
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

  // From here to the doors nothing waits: these parts need each other, and nothing may come in before all of them are there.
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
  const network = new NetworkWatch(options.readAddresses);
  const oneClicks: OneClicks = openOneClicks({
    clock,
    network,
    tools,
    encoders,
    startAudioMeter,
    store,
    sources,
    services: () => services,
    onSourceChanged: (streamId) => registry.findLive(streamId)?.forgetLoudness(),
    onReady(streamId) {
      if (parseStreamRef(streamId).serviceId !== undefined) return;
      // Not before: a Go live that fails before it has anything to send must not end the hold.
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

  const listening = new ServicePorts(config, settings.get);
  const address = () => ({
    host,
    httpPort: listening.httpPort,
    rtmpPort: listening.rtmpPort,
    hasTls: tls.files !== undefined,
  });
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
  const followVerdict = createVerdictFollower(views, clock);
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

  let closeCause: ProcessEndCause | undefined;
  await openDoors(
    {
      host,
      version,
      ports: listening,
      tls: tls.files,
      ingestBounds,
      extendHttp,
      store,
      streams,
      apiKeys,
      regions,
      registry,
      endBroadcasts: () => registry.close(closeCause),
      pageMedia: sources.pageMedia,
      router,
      clock,
      log,
    },
    opened,
  );
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
