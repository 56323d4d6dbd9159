import type { MeterStarter } from './audio-meter/publisher-meter.ts';
import type { NetworkWatch } from './lib/network-watch.ts';
import { EncodeCosts } from './one-click/encode-costs.ts';
import { EncodePlanner } from './one-click/encode-planner.ts';
import { OneClicks } from './one-click/one-clicks.ts';
import { SharedUploads } from './one-click/shared-uploads.ts';
import type { ToolSearch } from './one-click/start-finding-tools.ts';
import { UploadSpeeds } from './one-click/upload-speeds.ts';
import type { OpenedSources } from './open-sources.ts';
import type { Store } from './open-store.ts';
import type { Clock } from './ports.ts';
import type { StreamServices } from './services/stream-services.ts';
import type { EncoderChooser } from './transcode/encoder-choice.ts';

export interface OpenOneClicksOptions {
  clock: Clock;
  network: NetworkWatch;
  tools: Pick<ToolSearch, 'find'>;
  encoders: Pick<EncoderChooser, 'pickSoon'>;
  startAudioMeter: MeterStarter;
  store: Pick<Store, 'measured' | 'settings'>;
  sources: Pick<OpenedSources, 'captures' | 'previews'>;
  /** The service of each stream, where its broadcast goes. */
  services: () => StreamServices;
  /** A broadcast has media to send and is about to connect for the first time. */
  onReady: (streamId: string) => void;
  /** A stream's broadcast has another source from now on. */
  onSourceChanged: (streamId: string) => void;
  /** A stream's one-click state has changed. */
  onChange: (streamId: string) => void;
}

/** Opens one click: settings are planned from the measured cost of encoding here and the measured upload to each ingest. */
export function openOneClicks(options: OpenOneClicksOptions): OneClicks {
  const { clock, network, tools, encoders, startAudioMeter, store, sources, services, onReady, onSourceChanged, onChange } =
    options;
  const costs = new EncodeCosts(store.measured.costs);
  const speeds = new UploadSpeeds(store.measured.speeds, () => clock.now());
  const uploads = new SharedUploads(speeds, {
    monotonicMs: () => clock.monotonicMs(),
    isSent: (streamId) => oneClicks.isSent(streamId),
  });
  const findIngest = (streamId: string) => services().at(streamId, (service, id) => service.ingestAddress(id));
  const findTools = () => tools.find();
  const oneClicks = new OneClicks({
    clock,
    network,
    async prepare(streamId, signal) {
      await services().at(streamId, (service, id) => service.prepareGoLive(id, signal));
      // A broadcast needs devices in a larger size than previews, so close the previews before it opens them.
      await sources.previews.close();
    },
    findTools,
    planner: new EncodePlanner({
      findTools,
      pickEncoder: async () => (await encoders.pickSoon({ decodes: false })).encoder,
      costs,
      devices: sources.captures.devices,
      findUpload: (streamId) => {
        const ingest = findIngest(streamId);
        return ingest === undefined ? undefined : speeds.find(ingest);
      },
      findOthersBps: (streamId) => {
        const ingest = findIngest(streamId);
        return ingest === undefined ? 0 : uploads.othersBps(ingest, streamId);
      },
      findProfiles: (streamId) => services().at(streamId, (service, id) => service.profilesMadeHere(id)),
    }),
    captures: sources.captures,
    looksAhead: () => store.settings.get().lookahead,
    costs,
    onReady,
    connect: (streamId, signal) => services().at(streamId, (service, id) => service.connect(id, signal)),
    isElsewhere: (streamId) => services().at(streamId, (service, id) => service.isElsewhere(id)),
    startAudioMeter,
    onSourceChanged,
    onChange,
    onFailed(streamId, failure, hadMedia) {
      // Without media of ours, the publisher on air is another one, even if it has the same name and runs on this computer.
      if (hadMedia) services().at(streamId, (service, id) => service.ownEncoderFailed(id, failure));
    },
    onEvent: (streamId, event) => services().at(streamId, (service, id) => service.noteEvent(id, event)),
    onCarried: (streamId, carried) => {
      const ingest = findIngest(streamId);
      if (ingest !== undefined) uploads.report(ingest, streamId, carried);
    },
  });
  return oneClicks;
}
