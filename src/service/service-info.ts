import type { ServiceInfo } from '../shared/model/views.ts';
import type { ServiceConfig } from './config.ts';
import { joinUndos } from './lib/event-source.ts';
import type { ToolSearch } from './one-click/start-finding-tools.ts';
import type { Store } from './open-store.ts';
import type { HostPorts } from './ports.ts';
import { type BoundAddress, isEveryAddress } from './regions/base-urls.ts';
import type { Regions } from './regions/regions.ts';
import type { MovedPort } from './service-ports.ts';
import type { OpenedTls } from './tls/open-tls.ts';
import type { EncoderChooser } from './transcode/encoder-choice.ts';

export interface ServiceInfoOptions {
  config: ServiceConfig;
  secrets: HostPorts['secrets'];
  store: Pick<Store, 'settings' | 'notices' | 'onNotice'>;
  tools: Pick<ToolSearch, 'current' | 'onFound'>;
  encoders: Pick<EncoderChooser, 'found' | 'onFound'>;
  tls: OpenedTls;
  regions: Pick<Regions, 'own' | 'mediaOrigins'>;
  /** Preferred ports that could not be used. */
  movedPorts: readonly MovedPort[];
  /** The address that the service listens on now. */
  address: () => BoundAddress;
}

/** The service's info: its addresses, and the tools and devices that it found. */
export class ServiceInfoSource {
  readonly #options: ServiceInfoOptions;

  constructor(options: ServiceInfoOptions) {
    this.#options = options;
  }

  /** As of now. */
  get(): ServiceInfo {
    const { config, secrets, store, tools, encoders, tls, regions, movedPorts, address } = this.#options;
    const { regionCode } = store.settings.get();
    const { host, httpPort, rtmpPort } = address();
    const own = regions.own();
    return {
      version: config.version,
      apiBaseUrl: `${own.base}/api`,
      localApiBaseUrl: `${own.reach.base}/api`,
      ingestBaseUrl: own.ingest,
      playbackBaseUrl: own.playback,
      localIngestBaseUrl: own.reach.ingest,
      localPlaybackBaseUrl: own.reach.playback,
      ...(isEveryAddress(host) && { isOnAllAddresses: true as const }),
      httpPort,
      rtmpPort,
      dataFolder: config.dataFolder,
      regionCode,
      secrets: secrets.kind,
      ffmpeg: tools.current.ffmpeg,
      encoders: encoders.found,
      ...(tls.files && {
        tls: { certificatePath: tls.files.paths.certificatePath, expiresAt: tls.files.pair.expiresAt },
      }),
      regionOrigins: regions.mediaOrigins(),
      settingSources: config.givenSettings?.sources ?? {},
      notices: [
        ...store.notices,
        ...movedPorts.map((moved) => ({
          code: 'port-in-use' as const,
          ...moved,
          port: { HTTP: httpPort, RTMP: rtmpPort }[moved.purpose],
        })),
        ...tls.notices,
        ...(tls.files?.notices ?? []),
      ],
    };
  }

  /** Calls `listener` when something in it changes; returns the undo. */
  onChange(listener: () => void): () => void {
    const { store, tools, encoders, tls } = this.#options;
    return joinUndos(
      store.settings.onChange(listener),
      tools.onFound(listener),
      encoders.onFound(listener),
      store.onNotice(listener),
      ...(tls.files ? [tls.files.onChange(listener)] : []),
    );
  }
}
