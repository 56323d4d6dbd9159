import { parseStreamRef } from '../shared/model/stream-ref.ts';
import type { MeantSilences } from './health/meant-silences.ts';
import type { PlayReports } from './health/play-reports.ts';
import type { SleepWatch } from './lib/sleep-watch.ts';
import type { OneClicks } from './one-click/one-clicks.ts';
import type { Store } from './open-store.ts';
import type { Clock } from './ports.ts';
import type { OpenPublication } from './publishing/media-publisher.ts';
import type { RegionMeter } from './regions/region-meter.ts';
import { RemoteServices } from './remote/remote-services.ts';
import { RemoteStreams } from './remote/remote-streams.ts';
import { forgetRemovedChoices } from './remote/removed-choices.ts';
import type { StreamService } from './services/stream-service.ts';
import { StreamServices } from './services/stream-services.ts';
import { randomAlphanumerics } from './streams/random-text.ts';

export interface OpenServicesOptions {
  clock: Clock;
  store: Pick<Store, 'remotes' | 'choices' | 'changes' | 'settings'>;
  /** The service that is this computer. */
  own: () => StreamService;
  oneClicks: OneClicks;
  playReports: PlayReports;
  silences: MeantSilences;
  sleepWatch: SleepWatch;
  meter: RegionMeter;
  openPublication: OpenPublication;
  regionPatienceMs: number | undefined;
  /** Ends every request to a remote service. */
  signal: AbortSignal;
}

/** Opens the services whose streams the screens show: this computer and the remote ones that the user has added. */
export function openServices(options: OpenServicesOptions): { remotes: RemoteServices; services: StreamServices } {
  const { clock, store, own, oneClicks, playReports, silences, sleepWatch, meter, openPublication, regionPatienceMs, signal } =
    options;
  const remotes = new RemoteServices({
    ledger: store.remotes,
    clock,
    newId: () => randomAlphanumerics(12),
    signal,
    isInUse: (serviceId) =>
      oneClicks.streamIds.some((streamId) => parseStreamRef(streamId).serviceId === serviceId && oneClicks.isSent(streamId)),
  });
  forgetRemovedChoices(store.choices, remotes);
  const services = new StreamServices({
    own,
    remotes,
    open: (serviceId) =>
      new RemoteStreams({
        serviceId,
        remotes,
        oneClicks,
        choices: store.choices,
        playReports,
        silences,
        sleepWatch,
        changes: store.changes,
        meter,
        publish: openPublication,
        clock,
        mayChangeRegion: () => store.settings.get().changesRegion,
        regionPatienceMs,
      }),
    oneClickIds: () => oneClicks.streamIds,
  });
  return { remotes, services };
}
