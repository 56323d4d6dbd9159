import type { ServiceInfo } from '../shared/model/views.ts';
import type { ServiceConfig } from './config.ts';
import type { ContractRouter } from './handlers/router.ts';
import { openSegmentArchive } from './hls/segment-archive.ts';
import { forgetBrowserAddresses } from './lib/browser-addresses.ts';
import { describeCloseFailure } from './lib/close-failure.ts';
import { lockDataFolder } from './lib/data-folder-lock.ts';
import { createFaultLog } from './lib/fault-log.ts';
import { onFault } from './lib/faults.ts';
import type { ProcessEndCause } from './lib/process-end.ts';
import { SleepWatch } from './lib/sleep-watch.ts';
import { waitForSlowAddresses } from './lib/slow-addresses.ts';
import { showsDisplay } from './one-click/shows-display.ts';
import { openDoors } from './open-doors.ts';
import { openEncoding } from './open-encoding.ts';
import { type OpenedLive, openLive } from './open-live.ts';
import { type OpenedScreens, openScreens } from './open-screens.ts';
import { openStore } from './open-store.ts';
import type { HostPorts } from './ports.ts';
import { startMediaPublisher } from './rtmp/unit-publisher.ts';
import { ServicePorts } from './service-ports.ts';
import type { StartOptions } from './start-options.ts';
import { openTls } from './tls/open-tls.ts';

/** A running service. */
export interface RunningService {
  /** The service's current addresses, and the tools and devices that it found. */
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
   * @param cause whether a bug closes it: broadcasts on air then count as lost, as after a crash without a close
   */
  close(cause?: ProcessEndCause): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the service's parts in order: data folder, store and TLS; live sessions and one click; the screens; and the doors: RTMP and HTTP.
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
  const { extendHttp, ingestBounds, ladderBounds, readAddresses, regionPatienceMs, onRenditionNews } = options;
  const { openPublication = startMediaPublisher } = options;
  opened.defer(onFault(createFaultLog(log)));
  waitForSlowAddresses();
  const lock = lockDataFolder(dataFolder);
  opened.defer(() => lock.close());
  await forgetBrowserAddresses(dataFolder);

  const store = await openStore(config, ports, () => live.control);
  opened.defer(() => store.close());
  const { streams, apiKeys, settings } = store;
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
  const encoding = openEncoding({ dataFolder, store, clock, log, closing: closing.signal });
  const sleepWatch = new SleepWatch(clock);
  if (ports.onSleepSignal) opened.defer(ports.onSleepSignal((signal) => sleepWatch.hear(signal)));
  const listening = new ServicePorts(config, settings.get);
  const address = () => ({
    host,
    httpPort: listening.httpPort,
    rtmpPort: listening.rtmpPort,
    hasTls: tls.files !== undefined,
  });
  const archive = await openSegmentArchive(dataFolder);
  opened.defer(() => archive.close());

  // From here to the doors everything is synchronous: the store, the live parts and the screens need each other, and nothing may come in
  // before all of them exist.
  const live: OpenedLive = openLive(
    {
      clock,
      log,
      capturePage: ports.capturePage,
      isDeviceRefused: ports.isDeviceRefused,
      store,
      archive,
      encoding,
      sleepWatch,
      address,
      openPublication,
      services: () => screens.services,
      followVerdict: (stream) => screens.followVerdict(stream),
      ladderBounds,
      onRenditionNews,
      readAddresses,
      regionPatienceMs,
      closing: closing.signal,
    },
    opened,
  );
  const screens: OpenedScreens = openScreens({
    config,
    secrets: ports.secrets,
    clock,
    log,
    store,
    tls,
    encoding,
    live,
    sleepWatch,
    movedPorts: listening.moved,
    address,
    openPublication,
    regionPatienceMs,
    closing: closing.signal,
  });
  const { registry, oneClicks, regions, sources } = live;
  const { info, remotes, router } = screens;

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
    // Before our own encoders say goodbye, which would look like a stop.
    if (cause?.hasCrashed) registry.endAll(cause);
    // Before the other parts close, so that everything they wait for ends sooner.
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
    showsDisplay: () => oneClicks.states.some(showsDisplay),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
