import type { ServiceConfig } from './config.ts';
import { createVerdictFollower } from './handlers/follow-verdicts.ts';
import { createOwnStreams } from './handlers/own-streams.ts';
import { type ContractRouter, createRouter } from './handlers/router.ts';
import { StreamViews } from './handlers/stream-views.ts';
import { MeantSilences } from './health/meant-silences.ts';
import { PlayReports } from './health/play-reports.ts';
import type { SleepWatch } from './lib/sleep-watch.ts';
import type { OpenedEncoding } from './open-encoding.ts';
import type { OpenedLive } from './open-live.ts';
import { openServices } from './open-services.ts';
import type { Store } from './open-store.ts';
import type { HostPorts } from './ports.ts';
import type { OpenPublication } from './publishing/media-publisher.ts';
import type { BoundAddress } from './regions/base-urls.ts';
import type { RemoteServices } from './remote/remote-services.ts';
import { ServiceInfoSource } from './service-info.ts';
import type { MovedPort } from './service-ports.ts';
import type { StreamServices } from './services/stream-services.ts';
import type { LiveStream } from './session/live-stream.ts';
import type { StartOptions } from './start-options.ts';
import type { OpenedTls } from './tls/open-tls.ts';

export interface OpenScreensOptions
  extends Pick<HostPorts, 'clock' | 'log' | 'secrets'>,
    Pick<StartOptions, 'regionPatienceMs'> {
  config: ServiceConfig;
  store: Store;
  tls: OpenedTls;
  encoding: OpenedEncoding;
  live: OpenedLive;
  sleepWatch: SleepWatch;
  /** Preferred ports that could not be used. */
  movedPorts: readonly MovedPort[];
  /** The address that the service listens on now. */
  address: () => BoundAddress;
  openPublication: OpenPublication;
  /** Ends every request to a remote service. */
  closing: AbortSignal;
}

/** The screens' view of the service, and their calls to it. */
export interface OpenedScreens {
  info: ServiceInfoSource;
  /** This computer and the remote services, and the way from a stream to its service. */
  services: StreamServices;
  remotes: RemoteServices;
  /** Logs the verdicts on a stream; to be called with each stream about once a second. */
  followVerdict: (live: LiveStream) => void;
  /** The contract's implementation. */
  router: ContractRouter;
}

/**
 * Opens the parts that the screens show and call. Call it right after `openLive`, without waiting in between, since `openLive` needs its
 * services. Nothing in it has to be closed.
 */
export function openScreens(options: OpenScreensOptions): OpenedScreens {
  const { config, secrets, clock, log, store, tls, encoding, live, sleepWatch, address, openPublication } = options;
  const { movedPorts, regionPatienceMs, closing } = options;
  const { streams, choices, changes, apiKeys, settings } = store;
  const { tools, encoders } = encoding;
  const { registry, sources, network, oneClicks, meter, regions, routes, control } = live;
  const info = new ServiceInfoSource({ config, secrets, store, tools, encoders, tls, regions, movedPorts, address });
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
    signal: closing,
  });
  const views = new StreamViews({ streams, registry, oneClicks, choices, playReports, routes, silences, sleepWatch, clock });
  const ownStreams = createOwnStreams({
    streams,
    views,
    changes,
    registry,
    live: control,
    oneClicks,
    services,
    silences,
    regions,
    routes,
  });
  const router = createRouter({
    info: () => info.get(),
    onInfoChange: (listener) => info.onChange(listener),
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
  });
  return { info, services, remotes, followVerdict: createVerdictFollower(views, clock), router };
}
