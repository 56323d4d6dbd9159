import { ServiceError } from '../../shared/errors.ts';
import { getHeardSession, type MeantSilences } from '../health/meant-silences.ts';
import { severityOf } from '../one-click/one-click-event.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import { formatIngestAddress } from '../publishing/ingest-url.ts';
import type { RegionRoutes } from '../regions/region-routes.ts';
import type { Regions } from '../regions/regions.ts';
import type { StreamService } from '../services/stream-service.ts';
import type { StreamServices } from '../services/stream-services.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { LiveControl } from '../streams/live-control.ts';
import type { StreamNews } from '../streams/stream-change.ts';
import type { Streams } from '../streams/streams.ts';
import type { StreamViews } from './stream-views.ts';
import { watchAllStreams } from './watch-all-streams.ts';
import { watchAudio } from './watch-audio.ts';
import { watchStream } from './watch-stream.ts';

export interface OwnStreamsOptions {
  streams: Streams;
  views: StreamViews;
  changes: StreamNews;
  registry: SessionRegistry;
  live: LiveControl;
  oneClicks: OneClicks;
  /** This computer's streams and those of remote services. */
  services: Pick<StreamServices, 'remoteOnAir' | 'findRemoteOnAir'>;
  silences: Pick<MeantSilences, 'accept'>;
  regions: Pick<Regions, 'expected'>;
  routes: Pick<RegionRoutes, 'connect' | 'takeOffer' | 'findIngest' | 'isElsewhere' | 'dismissLost'>;
}

/** The streams of this computer. */
export function createOwnStreams(options: OwnStreamsOptions): StreamService {
  const { streams, views, silences, changes, registry, live, oneClicks, regions, routes } = options;
  /** A stream that has been live is known without the store, so that its broadcast can be ended while the store can't be read. */
  const check = (id: string) => {
    if (registry.findLive(id) === undefined && oneClicks.state(id).kind === 'idle') streams.getKeyless(id);
  };
  return {
    create: async (input) => views.one((await streams.create(input)).id),
    async update(id, edits) {
      await streams.update(id, edits);
      return views.one(id);
    },
    delete: (id) => streams.delete(id),
    watchAll: (signal) => watchAllStreams(options, signal),
    watch: (id, pageId, signal) => watchStream(options, () => views.live(id, pageId), { streamId: id, signal }),
    watchAudio: (id, signal) => watchAudio(options, id, signal),
    revealKey: (id) => streams.revealKey(id),
    renewKey: (id) => streams.renewKey(id),
    sessions: (id, limit) => views.sessions(id, limit),
    check,
    // Another region's computer makes its own renditions.
    profilesMadeHere: (id) => (regions.expected().isOwn ? (streams.getKeyless(id).profiles ?? []) : []),
    ingestAddress: (id) => formatIngestAddress(routes.findIngest(id) ?? regions.expected().reach.ingest),
    prepareGoLive(id) {
      streams.getKeyless(id);
    },
    isElsewhere: (id) => routes.isElsewhere(id),
    connect: (id, signal) => routes.connect(id, signal),
    changeRegion(id, region) {
      check(id);
      return routes.takeOffer(id, region);
    },
    async stop(id) {
      check(id);
      live.endSession(id, { reason: 'stopped' });
      await oneClicks.stop(id);
    },
    letIn(id) {
      check(id);
      registry.findLive(id)?.letIn('all');
    },
    acceptSilence(id) {
      check(id);
      const { air, heardMs } = views.facts(id);
      silences.accept(id, getHeardSession(air, heardMs));
      changes.emit({ kind: 'changed', streamId: id });
    },
    setRenditions(id, names) {
      check(id);
      const live = registry.findLive(id);
      if (live?.sessionId === undefined) throw new ServiceError('OFF_AIR', 'The stream is off air, so it has no renditions.');
      live.setRenditions(names);
    },
    dismissLost(id, sessionId) {
      check(id);
      streams.ends.dismissLost(id, sessionId);
      routes.dismissLost(id, sessionId);
    },
    noteEvent(id, event) {
      const stream = registry.findLive(id) ?? registry.open(streams.getKeyless(id));
      stream.note(severityOf(event), event);
    },
    ownEncoderFailed(id, failure) {
      registry.ownEncoderFailed(id, failure);
    },
  };
}
