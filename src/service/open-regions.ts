import type { OneClicks } from './one-click/one-clicks.ts';
import type { Store } from './open-store.ts';
import type { Clock } from './ports.ts';
import type { OpenPublication } from './publishing/media-publisher.ts';
import type { BoundAddress } from './regions/base-urls.ts';
import { RegionMeter } from './regions/region-meter.ts';
import { RegionRoutes } from './regions/region-routes.ts';
import { Regions } from './regions/regions.ts';
import type { SessionRegistry } from './session/session-registry.ts';

export interface OpenRegionsOptions {
  clock: Clock;
  store: Pick<Store, 'streams' | 'settings' | 'changes'>;
  /** The current address of this computer's own region. */
  address: () => BoundAddress;
  registry: Pick<SessionRegistry, 'findLive' | 'open'>;
  oneClicks: Pick<OneClicks, 'reconnectNow'>;
  openPublication: OpenPublication;
  patienceMs: number | undefined;
}

export interface OpenedRegions {
  meter: RegionMeter;
  regions: Regions;
  routes: RegionRoutes;
}

/** Opens the regions and the routes of broadcasts to them; `opened` closes them. */
export function openRegions(options: OpenRegionsOptions, opened: AsyncDisposableStack): OpenedRegions {
  const { clock, store, address, registry, oneClicks, openPublication, patienceMs } = options;
  const { streams, settings, changes } = store;
  const meter = new RegionMeter({ clock });
  opened.defer(() => meter.close());
  const regions = new Regions({ settings: settings.get, address, meter });
  // `streams` may throw: the store may have become unreadable.
  const openLive = (streamId: string) => registry.findLive(streamId) ?? registry.open(streams.getKeyless(streamId));
  const routes = new RegionRoutes({
    regions,
    clock,
    publish: (url, streamKey, attempt) => openPublication({ url, streamKey, ...attempt }),
    revealKey: (streamId) => streams.revealKey(streamId),
    findPlaybackId: (streamId) => openLive(streamId).playbackId,
    mayChange: () => settings.get().changesRegion,
    patienceMs,
    retry: (streamId) => oneClicks.reconnectNow(streamId),
    onChange: (streamId) => changes.emit({ kind: 'changed', streamId }),
    onEvent: (streamId, event) => openLive(streamId).note('warn', event),
    onCourse: (streamId, severity, event) => openLive(streamId).note(severity, event),
  });
  opened.defer(() => routes.close());
  return { meter, regions, routes };
}
