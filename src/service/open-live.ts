import { parseStreamRef } from '../shared/model/stream-ref.ts';
import { createLiveControl } from './end-broadcasts.ts';
import type { SegmentArchive } from './hls/segment-archive.ts';
import { NetworkWatch } from './lib/network-watch.ts';
import type { SleepWatch } from './lib/sleep-watch.ts';
import type { OneClicks } from './one-click/one-clicks.ts';
import type { OpenedEncoding } from './open-encoding.ts';
import { openOneClicks } from './open-one-clicks.ts';
import { type OpenedRegions, openRegions } from './open-regions.ts';
import { openSessions } from './open-sessions.ts';
import { type OpenedSources, openSources } from './open-sources.ts';
import type { Store } from './open-store.ts';
import type { HostPorts } from './ports.ts';
import type { OpenPublication } from './publishing/media-publisher.ts';
import type { BoundAddress } from './regions/base-urls.ts';
import type { StreamServices } from './services/stream-services.ts';
import type { LiveStream } from './session/live-stream.ts';
import type { SessionRegistry } from './session/session-registry.ts';
import type { StartOptions } from './start-options.ts';
import type { LiveControl } from './streams/live-control.ts';

export interface OpenLiveOptions
  extends Pick<HostPorts, 'clock' | 'log' | 'capturePage' | 'isDeviceRefused'>,
    Pick<StartOptions, 'ladderBounds' | 'onRenditionNews' | 'readAddresses' | 'regionPatienceMs'> {
  store: Store;
  archive: SegmentArchive;
  encoding: OpenedEncoding;
  sleepWatch: SleepWatch;
  /** The current address of this computer's own region. */
  address: () => BoundAddress;
  openPublication: OpenPublication;
  /** The service of each stream, where its broadcast goes; first called when a stream goes live. */
  services: () => StreamServices;
  /** Called with each stream once a second. */
  followVerdict: (live: LiveStream) => void;
  /** Ends the ladders. */
  closing: AbortSignal;
}

/** Everything that is live here or sent from here. */
export interface OpenedLive extends OpenedRegions {
  registry: SessionRegistry;
  sources: OpenedSources;
  oneClicks: OneClicks;
  network: NetworkWatch;
  /** Ends broadcasts on purpose. */
  control: LiveControl;
}

/**
 * Opens live sessions, sources, one click and the routes to regions. They need each other, so this is synchronous: no
 * media or request can arrive before all of them exist. `opened` closes all but one click, whose broadcasts must end before everything
 * else.
 */
export function openLive(options: OpenLiveOptions, opened: AsyncDisposableStack): OpenedLive {
  const { clock, log, store, archive, encoding, sleepWatch, address, openPublication, services, closing } = options;
  const { streams, changes } = store;
  const { tools, encoders, startAudioMeter } = encoding;
  const registry = openSessions(
    {
      clock,
      log,
      store,
      archive,
      encoders,
      startAudioMeter,
      sleepWatch,
      isElsewhere: (streamId) => routes.isElsewhere(streamId),
      ladderBounds: options.ladderBounds,
      onRenditionNews: options.onRenditionNews,
      onTick(live) {
        options.followVerdict(live);
        const { air } = live;
        if (air.kind !== 'on-air') return;
        // Earlier failures and losses say nothing about this broadcast.
        routes.noteOnAirHere(live.streamId, air.since);
        if (live.isForeign) oneClicks.forgetFailure(live.streamId);
      },
      closing,
    },
    opened,
  );
  const sources = openSources(
    {
      clock,
      tools,
      pageHost: options.capturePage,
      isDeviceRefused: options.isDeviceRefused,
      oneClickStates: () => oneClicks.states,
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
    services,
    onSourceChanged: (streamId) => registry.findLive(streamId)?.forgetLoudness(),
    onReady(streamId) {
      if (parseStreamRef(streamId).serviceId !== undefined) return;
      // Not earlier: a Go live that fails before it has media to send must not end the hold.
      registry.findLive(streamId)?.letIn('own');
      routes.begin(streamId);
      // Open the stream before media arrives: events of a broadcast to another region are logged there.
      registry.open(streams.getKeyless(streamId));
    },
    onChange(streamId) {
      routes.follow(streamId, oneClicks.state(streamId));
      changes.emit({ kind: 'changed', streamId });
    },
  });
  const { meter, regions, routes } = openRegions(
    { clock, store, address, registry, oneClicks, openPublication, patienceMs: options.regionPatienceMs },
    opened,
  );
  changes.on(({ kind, streamId }) => {
    if (kind === 'deleted') routes.forgetLost(streamId);
  });
  const control = createLiveControl({ registry, oneClicks, routes });
  return { registry, sources, network, oneClicks, meter, regions, routes, control };
}
