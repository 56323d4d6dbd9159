import { isArriving } from '../../shared/is-arriving.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';
import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { DeviceList, SourcePreview } from '../../shared/model/capture.ts';
import type { PlaceCaptures } from '../../shared/model/page-capture.ts';
import type { RegionsView } from '../../shared/model/region.ts';
import type { RemoteServiceView } from '../../shared/model/remote-service.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { Source } from '../../shared/model/source.ts';
import type { ServiceInfo, StreamLive, StreamView } from '../../shared/model/views.ts';
import { putLast } from '../../shared/put-last.ts';
import { followStreams } from '../../shared/stream-list.ts';
import type { Connection } from '../client/connection.ts';
import { pageId } from '../client/page-id.ts';
import { createLiveValue, type LiveValue } from './live-value.ts';
import { createMeterHistory, type MeterHistory } from './meter-history.ts';
import { createPlaybackReport, type PlaybackReport } from './playback-report.ts';

/** How many streams keep their live value and chart after being left; the oldest are dropped first. */
const rememberedStreams = 8;

interface StreamEntry {
  live: LiveValue<StreamLive>;
  audio: LiveValue<StreamAudio>;
  history: MeterHistory;
}

/** How loud a stream is; no `meter` if there is nothing to measure. */
interface StreamAudio {
  meter?: AudioMeter | undefined;
}

/** Everything the screens know about the service. */
export interface LiveStore {
  readonly connection: Connection;
  readonly service: LiveValue<ServiceInfo>;
  /** The streams of this computer, and those of remote services that it sends to. */
  readonly streams: LiveValue<StreamView[]>;
  readonly remoteServices: LiveValue<RemoteServiceView[]>;
  readonly regions: LiveValue<RegionsView>;
  readonly settings: LiveValue<Settings>;
  /** The API keys of other programs, newest first. */
  readonly apiKeys: LiveValue<ApiKey[]>;
  /** The devices that can be captured on the service's computer. */
  readonly devices: LiveValue<DeviceList>;
  /** Values that screens keep while the user is elsewhere, by key, each with what it was made from. */
  readonly kept: Map<string, { stamp: string; value: unknown }>;
  /** The monitor's measurements, for the surrounding screen. */
  readonly playback: PlaybackReport;
  /** The streams of a remote service. */
  remoteStreams(serviceId: string): LiveValue<StreamView[]>;
  stream(streamId: string): LiveValue<StreamLive>;
  /** Changes several times a second. */
  audio(streamId: string): LiveValue<StreamAudio>;
  /** What a source looks and sounds like. Its devices are open while somebody listens. */
  preview(source: Source, previewId: string): LiveValue<SourcePreview>;
  /** The captures of a place's pages; `holds` stay open while somebody listens. */
  pageCaptures(place: string, holds: string[]): LiveValue<PlaceCaptures>;
  /** The bitrate of the last five minutes, as far as this page has seen it. */
  history(streamId: string): MeterHistory;
}

/** The store over one connection. */
export function createLiveStore(connection: Connection): LiveStore {
  const entries = new Map<string, StreamEntry>();
  const remoteLists = new Map<string, LiveValue<StreamView[]>>();

  const entry = (streamId: string): StreamEntry => {
    const known = entries.get(streamId);
    if (known !== undefined) return known;
    const history = createMeterHistory();
    const made: StreamEntry = {
      history,
      live: createLiveValue(connection, async (client, signal) => {
        const events = await client.stream.watch({ streamId, pageId }, { signal });
        return noting(events, history);
      }),
      audio: createLiveValue(connection, (client, signal) => client.stream.watchAudio({ streamId }, { signal })),
    };
    putLast(entries, streamId, made, rememberedStreams);
    return made;
  };

  return {
    connection,
    service: createLiveValue(connection, (client, signal) => client.service.watch(undefined, { signal })),
    streams: createLiveValue(
      connection,
      async (client, signal) => followStreams(await client.stream.watchAll(undefined, { signal })),
      { asRefused: allUnheard },
    ),
    remoteServices: createLiveValue(connection, (client, signal) => client.remoteService.watchAll(undefined, { signal })),
    remoteStreams(serviceId) {
      const known =
        remoteLists.get(serviceId) ??
        createLiveValue(
          connection,
          async (client, signal) => followStreams(await client.stream.watchAll({ serviceId }, { signal })),
          { asRefused: allUnheard },
        );
      remoteLists.set(serviceId, known);
      return known;
    },
    kept: new Map(),
    regions: createLiveValue(connection, (client, signal) => client.region.watch(undefined, { signal })),
    settings: createLiveValue(connection, (client, signal) => client.settings.watch(undefined, { signal })),
    apiKeys: createLiveValue(connection, (client, signal) => client.apiKey.watchAll(undefined, { signal }), {
      tellsRefusals: true,
    }),
    devices: createLiveValue(connection, (client, signal) => client.source.watchDevices(undefined, { signal })),
    playback: createPlaybackReport(),
    preview: (source, previewId) =>
      createLiveValue(connection, (client, signal) => client.source.watchPreview({ source, previewId }, { signal }), {
        tellsRefusals: true,
      }),
    pageCaptures: (place, holds) =>
      createLiveValue(connection, (client, signal) => client.pageCapture.watch({ place, holds }, { signal })),
    stream: (streamId) => entry(streamId).live,
    audio: (streamId) => entry(streamId).audio,
    history: (streamId) => entry(streamId).history,
  };
}

/** Marks streams as unheard: nobody can tell whether they are still on air. */
export function allUnheard(streams: StreamView[]): StreamView[] {
  return streams.map((stream) => ({ ...stream, isUnheard: true }));
}

async function* noting(events: AsyncIterable<StreamLive>, history: MeterHistory): AsyncGenerator<StreamLive> {
  for await (const live of events) {
    history.note(live.now, isArriving(live.stream.air) ? live.meters?.bitrateBps : undefined);
    yield live;
  }
}
