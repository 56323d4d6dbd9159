import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import { formatStreamRef } from '../../shared/model/stream-ref.ts';
import type { StreamView } from '../../shared/model/views.ts';
import type { PlayReports } from '../health/play-reports.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { SleepWatch } from '../lib/sleep-watch.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import type { Clock } from '../ports.ts';
import type { OpenPublication } from '../publishing/media-publisher.ts';
import type { RegionMeter } from '../regions/region-meter.ts';
import type { ChoiceLedger } from '../streams/choice-ledger.ts';
import type { StreamNews } from '../streams/stream-change.ts';
import type { NearestPair } from './nearest-pair.ts';
import type { AnsweredStream } from './remote-answers.ts';
import { RemoteBroadcast } from './remote-broadcast.ts';
import { readRemoteFailure } from './remote-error.ts';
import { describeInactive } from './remote-health.ts';
import type { RemoteList } from './remote-list.ts';
import type { Remote, RemoteServices } from './remote-services.ts';
import type { RemoteSound } from './remote-sound.ts';
import { RemoteStream } from './remote-stream.ts';
import { formatView } from './remote-view.ts';

export interface RemoteStreamSetOptions {
  serviceId: string;
  remotes: Pick<RemoteServices, 'get' | 'find'>;
  list: RemoteList;
  nearest: NearestPair;
  sound: RemoteSound;
  oneClicks: Pick<OneClicks, 'state' | 'sentMeters' | 'forget' | 'reconnectNow'>;
  playReports: Pick<PlayReports, 'of' | 'rest' | 'ignoreStalls'>;
  choices: Pick<ChoiceLedger, 'find'>;
  sleepWatch: Pick<SleepWatch, 'findRecent'>;
  meter: Pick<RegionMeter, 'known' | 'find'>;
  changes: StreamNews;
  /** Whether a broadcast may switch to the next nearest region without asking, and how long a lost region may take to return. */
  mayChangeRegion: () => boolean;
  regionPatienceMs?: number | undefined;
  /** How one click connects to an ingest. */
  publish: OpenPublication;
  clock: Clock;
}

/** The streams of a remote service that are or were watched or sent to from here, by their ids at the service. */
export class RemoteStreamSet {
  readonly #options: RemoteStreamSetOptions;
  readonly #streams = new Map<string, RemoteStream>();
  readonly #stopFollowing: () => void;

  constructor(options: RemoteStreamSetOptions) {
    this.#options = options;
    options.list.onChange(() => this.#refreshUnpolled());
    this.#stopFollowing = options.changes.on(({ streamId }) => {
      for (const [id, stream] of this.#streams) if (this.refOf(id) === streamId) stream.followOneClick();
    });
  }

  /** Ends all of them, and forgets their failed one-click broadcasts. */
  async close(): Promise<void> {
    this.#stopFollowing();
    for (const [id, stream] of this.#streams) {
      stream.close();
      await this.#options.oneClicks.forget(this.refOf(id));
      this.#options.changes.emit({ kind: 'deleted', streamId: this.refOf(id) });
    }
  }

  /** A stream's name in the contract. */
  refOf(id: string): string {
    return formatStreamRef({ serviceId: this.#options.serviceId, id });
  }

  find(id: string): RemoteStream | undefined {
    return this.#streams.get(id);
  }

  /** The same, but creates the stream if it isn't in the set yet. */
  open(id: string): RemoteStream {
    const known = this.#streams.get(id);
    if (known !== undefined) return known;
    const { serviceId, clock, sound, oneClicks, playReports, changes, choices, sleepWatch } = this.#options;
    const streamId = this.refOf(id);
    const stream = new RemoteStream({
      serviceId,
      id,
      clock,
      service: () => ({ name: this.#remote.kept.name, api: this.#remote.api }),
      isRemoved: () => this.#isRemoved,
      oneClick: () => oneClicks.state(streamId),
      sentMeters: () => oneClicks.sentMeters(streamId),
      sound: () => sound.judge(streamId),
      isSilenceMeant: (air) => sound.isSilenceMeant(streamId, air),
      lastChoice: () => choices.find(streamId),
      playReports,
      findSleep: () => sleepWatch.findRecent(),
      onAnswer: () => runHarmlessly(() => this.#findNearest(streamId), 'asking for the nearest region'),
      onChange: () => changes.emit({ kind: 'changed', streamId }),
    });
    this.#streams.set(id, stream);
    return stream;
  }

  /** One click begins a broadcast to a stream, at first to this pair. */
  begin(stream: RemoteStream, { id, streamKey, playbackId }: AnsweredStream, first: IngestPair): void {
    const { meter, clock, oneClicks, changes, publish, mayChangeRegion, regionPatienceMs } = this.#options;
    const streamId = this.refOf(id);
    const broadcast = new RemoteBroadcast({
      first,
      service: () => this.#remote,
      playbackId,
      meter,
      clock,
      publish: (url, attempt) => publish({ url, streamKey, ...attempt }),
      mayChange: mayChangeRegion,
      retry: () => oneClicks.reconnectNow(streamId),
      onChange: () => {
        stream.followElsewhere();
        changes.emit({ kind: 'changed', streamId });
      },
      onEvent: (event) => stream.addRegionLine(event),
      patienceMs: regionPatienceMs,
    });
    stream.begin(broadcast);
  }

  /** A stream as shown on screens. If it is in the set, with the newer facts from there. */
  view(stream: AnsweredStream): StreamView {
    const known = this.#streams.get(stream.id)?.view();
    if (known !== undefined) return known;
    const { serviceId, list, oneClicks } = this.#options;
    const oneClick = oneClicks.state(this.refOf(stream.id));
    return formatView(stream, {
      serviceId,
      clockAheadMs: this.#remote.api.clockAheadMs,
      air: stream.isActive ? { kind: 'on-air', ...list.findOnAir(stream.id) } : describeInactive(oneClick),
      oneClick,
      isUnheard: list.error !== undefined,
    });
  }

  /** Forgets streams that nobody watches any more and that have nothing to remember. */
  forgetUnneeded(): void {
    for (const [id, stream] of this.#streams) if (!stream.isNeeded) this.#streams.delete(id);
  }

  get #remote(): Remote {
    return this.#options.remotes.get(this.#options.serviceId);
  }

  get #isRemoved(): boolean {
    return this.#options.remotes.find(this.#options.serviceId) === undefined;
  }

  /** Finds the nearest pair, which the monitor needs for playing; repeated with every poll until the service has answered. */
  async #findNearest(streamId: string): Promise<void> {
    const { nearest, changes } = this.#options;
    if (this.#isRemoved || nearest.last !== undefined) return;
    await nearest.find().then(() => changes.emit({ kind: 'changed', streamId }), readRemoteFailure);
  }

  /** Updates streams that are remembered but not polled, such as one whose broadcast from here failed, from the list. */
  #refreshUnpolled(): void {
    const { list } = this.#options;
    if (list.error !== undefined || this.#isRemoved) return;
    for (const [id, stream] of this.#streams) {
      const listed = list.find(id);
      if (listed !== undefined && !stream.isPolled) stream.noteStream(listed);
    }
  }
}
