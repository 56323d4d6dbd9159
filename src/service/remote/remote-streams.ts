import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { NewStream, StreamChanges } from '../../shared/model/stream.ts';
import { formatStreamRef } from '../../shared/model/stream-ref.ts';
import type { SessionView, StreamLive, StreamsEvent, StreamView } from '../../shared/model/views.ts';
import { isSentFromHere } from '../../shared/one-click-failure.ts';
import type { PlayReports } from '../health/play-reports.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { formatAddress } from '../lib/host-address.ts';
import type { SleepWatch } from '../lib/sleep-watch.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { OneClickEvent } from '../one-click/one-click-event.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher, OpenPublication } from '../publishing/media-publisher.ts';
import type { RegionMeter } from '../regions/region-meter.ts';
import { parseIngestUrl } from '../rtmp/ingest-url.ts';
import type { RemoteStreamService } from '../services/stream-service.ts';
import type { ChoiceLedger } from '../streams/choice-ledger.ts';
import { NearestPair } from './nearest-pair.ts';
import type { AnsweredStream } from './remote-answers.ts';
import { RemoteBroadcast } from './remote-broadcast.ts';
import { RemoteError, readRemoteFailure } from './remote-error.ts';
import { describeInactive } from './remote-health.ts';
import { RemoteList } from './remote-list.ts';
import type { Remote, RemoteServices } from './remote-services.ts';
import { listRemoteSessions } from './remote-sessions.ts';
import { RemoteSound, type RemoteSoundOptions } from './remote-sound.ts';
import { RemoteStream } from './remote-stream.ts';
import { formatView } from './remote-view.ts';
import { watchRemoteList } from './watch-remote-list.ts';

export interface RemoteStreamsOptions extends RemoteSoundOptions {
  serviceId: string;
  remotes: Pick<RemoteServices, 'get' | 'find' | 'readPairs'>;
  oneClicks: Pick<OneClicks, 'state' | 'stop' | 'forget' | 'reconnectNow'> & RemoteSoundOptions['oneClicks'];
  playReports: Pick<PlayReports, 'of' | 'rest' | 'ignoreStalls'>;
  choices: ChoiceLedger;
  sleepWatch: Pick<SleepWatch, 'findRecent'>;
  meter: Pick<RegionMeter, 'measure' | 'known' | 'find'>;
  /** Whether a broadcast may switch to the next nearest region without asking, and how long a lost region may take to return. */
  mayChangeRegion: () => boolean;
  regionPatienceMs?: number | undefined;
  /** How one click connects to an ingest. */
  publish: OpenPublication;
  clock: Clock;
}

/** How long Stop waits for a service to terminate the stream: with the goodbye, it takes under 5 s. */
const terminateMs = 3_000;

/** The streams of a remote service, over its interface. Nothing is asked while nobody watches and this computer doesn't send to it. */
export class RemoteStreams implements RemoteStreamService {
  readonly #options: RemoteStreamsOptions;
  readonly #streams = new Map<string, RemoteStream>();
  readonly #list: RemoteList;
  readonly #stopFollowing: () => void;
  readonly #nearest: NearestPair;
  readonly #sound: RemoteSound;
  /** The streams that are being terminated, by id: whatever is on air when the service hears of it ends. */
  readonly #terminating = new Map<string, Promise<unknown>>();

  constructor(options: RemoteStreamsOptions) {
    this.#options = options;
    this.#sound = new RemoteSound(options);
    this.#list = new RemoteList({ api: () => this.#remote.api, clock: options.clock });
    this.#list.onChange(() => this.#refreshUnpolled());
    const { remotes, meter, clock } = options;
    this.#nearest = new NearestPair({ remote: () => this.#remote, remotes, meter, clock });
    this.#stopFollowing = options.changes.on(({ streamId }) => {
      for (const [id, stream] of this.#streams) if (this.#ref(id) === streamId) stream.followOneClick();
    });
  }

  /** Also forgets its failed one-click broadcasts. */
  async close(): Promise<void> {
    this.#stopFollowing();
    this.#list.readSoon();
    for (const [id, stream] of this.#streams) {
      stream.close();
      await this.#options.oneClicks.forget(this.#ref(id));
      this.#options.changes.emit({ kind: 'deleted', streamId: this.#ref(id) });
    }
  }

  get #remote(): Remote {
    return this.#options.remotes.get(this.#options.serviceId);
  }

  get #isRemoved(): boolean {
    return this.#options.remotes.find(this.#options.serviceId) === undefined;
  }

  /** Whatever it has answered last, it isn't shown any more. @throws {ServiceError} NOT_FOUND */
  #refuseRemoved(): void {
    this.#options.remotes.get(this.#options.serviceId);
  }

  async create(input: NewStream): Promise<StreamView> {
    const created = await this.#remote.api.createStream(input);
    this.#list.readSoon();
    return this.#view(created);
  }

  async update(id: string, changes: StreamChanges): Promise<StreamView> {
    const { api } = this.#remote;
    await api.updateStream(id, changes);
    const stream = await api.getStream(id);
    const watched = this.#streams.get(id);
    watched?.noteStream(stream);
    watched?.readSoon();
    this.#changed(id);
    return this.#view(stream);
  }

  async delete(id: string): Promise<void> {
    await this.#remote.api.deleteStream(id);
    await this.#options.oneClicks.forget(this.#ref(id));
    this.#options.choices.save(this.#ref(id), undefined);
    this.#streams.get(id)?.readSoon();
    this.#changed(id);
  }

  watchAll(signal: AbortSignal): AsyncGenerator<StreamsEvent, void> {
    return watchRemoteList({ list: this.#list, changes: this.#options.changes, listViews: () => this.#listViews() }, signal);
  }

  /** @throws {RemoteError} if the first answer is a failure, or later if the stream is gone; NOT_FOUND if the service is removed */
  async *watch(id: string, pageId: string | undefined, signal: AbortSignal): AsyncGenerator<StreamLive, void> {
    const stream = this.#open(id);
    const release = stream.need();
    try {
      if (stream.answer === undefined) {
        await Promise.all([untilAborted(stream.nextRead(), signal), this.#nearest.find().catch(readRemoteFailure)]);
      }
      const read = (): StreamLive => {
        this.#refuseRemoved();
        const { failure } = stream;
        // While we send to it, it exists: then a proxy answered 404.
        const isGone = failure?.code === 'no-such-stream' && !isSentFromHere(this.#options.oneClicks.state(this.#ref(id)));
        const live = isGone ? undefined : stream.live(pageId, this.#nearest.last);
        if (live === undefined) throw new RemoteError(failure ?? { code: 'closed' });
        return live;
      };
      const onChange = (listener: () => void) =>
        this.#options.changes.on(({ streamId }) => {
          if (streamId === this.#ref(id)) listener();
        });
      yield* watchValue(read, { onChange, signal });
    } finally {
      release();
      this.#forgetUnneeded();
    }
  }

  watchAudio(id: string, signal: AbortSignal): AsyncGenerator<{ meter?: AudioMeter }, void> {
    return this.#sound.watch(this.#ref(id), signal);
  }

  async revealKey(id: string): Promise<string> {
    return (await this.#remote.api.getStream(id)).streamKey;
  }

  async renewKey(): Promise<void> {
    throw new RemoteError({ code: 'not-offered', status: 405 });
  }

  sessions(id: string, limit: number): Promise<SessionView[]> {
    return listRemoteSessions(this.#remote.api, id, limit);
  }

  check(id: string): void {
    if (!this.#streams.has(id) && this.#list.find(id) === undefined) throw new RemoteError({ code: 'no-such-stream' });
  }

  /** The service makes the renditions, so this computer makes none. */
  profilesMadeHere(): readonly Profile[] {
    return [];
  }

  ingestAddress(id: string): string | undefined {
    const pair = this.#streams.get(id)?.broadcast?.route.region ?? this.#nearest.last;
    const address = pair && parseIngestUrl(pair.ingest);
    return address && formatAddress(address.host, address.port);
  }

  /** Reads the stream's key, and chooses the nearest region. Ingest and playback are always of the same region. */
  async prepareGoLive(id: string, signal: AbortSignal): Promise<void> {
    const stream = this.#open(id);
    stream.followOneClick();
    await this.#terminating.get(id);
    const [answer, pair] = await Promise.all([this.#remote.api.getStream(id), this.#nearest.choose()]);
    // Another start may have begun since this one was stopped.
    signal.throwIfAborted();
    stream.noteStream(answer);
    stream.begin(this.#createBroadcast(stream, answer, pair));
    this.#options.changes.emit({ kind: 'changed', streamId: this.#ref(id) });
  }

  readonly isElsewhere = () => true;

  async connect(id: string, signal: AbortSignal): Promise<MediaPublisher> {
    const route = this.#streams.get(id)?.broadcast?.route;
    if (route === undefined) throw new Error('A broadcast to a remote service was not prepared.');
    return route.connect(signal);
  }

  /**
   * Our own broadcast ends with our goodbye to the ingest. Without a connection there is none, and on a blocked one nobody hears it, so the
   * service would wait for us: it is terminated over the interface, as another program's is. A program that took over while our upload
   * tries again stays on air.
   */
  async stop(id: string): Promise<void> {
    const { oneClicks } = this.#options;
    const wasOurs = isSentFromHere(oneClicks.state(this.#ref(id)));
    const view = this.#streams.get(id)?.view();
    const isHeard = await oneClicks.stop(this.#ref(id));
    // A region that the service doesn't speak for can't be asked.
    const isAwaited = view?.isActive === true && (view.air.kind === 'reconnecting' || !isHeard);
    const { api } = this.#remote;
    if (!wasOurs) await api.terminate(id);
    // It has stopped. If the service can't be reached, it stops waiting by itself, and the screens say what it says until then.
    else if (isAwaited) await untilAborted(this.#terminate(id), AbortSignal.timeout(terminateMs)).catch(() => {});
    this.#streams.get(id)?.readSoon();
  }

  /** Never rejects. */
  #terminate(id: string): Promise<unknown> {
    const terminated = this.#remote.api
      .terminate(id)
      .catch(readRemoteFailure)
      .finally(() => {
        if (this.#terminating.get(id) === terminated) this.#terminating.delete(id);
      });
    this.#terminating.set(id, terminated);
    return terminated;
  }

  changeRegion(id: string, region: string): boolean {
    return this.#streams.get(id)?.broadcast?.route.takeOffer(region) === true;
  }

  letIn(): void {
    throw new RemoteError({ code: 'not-offered', status: 405 });
  }

  acceptSilence(id: string): void {
    this.#sound.acceptSilence(this.#ref(id), this.#streams.get(id)?.view()?.air ?? { kind: 'off-air' });
  }

  setRenditions(): void {
    throw new RemoteError({ code: 'not-offered', status: 405 });
  }

  async dismissLost(id: string): Promise<void> {
    const ref = this.#ref(id);
    this.#streams.get(id)?.dismissLost();
    // A broadcast that is still trying continues.
    if (!isSentFromHere(this.#options.oneClicks.state(ref))) await this.#options.oneClicks.forget(ref);
    this.#changed(id);
  }

  noteEvent(id: string, event: OneClickEvent): void {
    this.#streams.get(id)?.addLine(event);
  }

  /** The ingest gets our goodbye, and needs nothing else. */
  ownEncoderFailed(): void {}

  findOnAir(id: string): StreamView | undefined {
    if (this.#options.oneClicks.state(this.#ref(id)).kind === 'idle') return undefined;
    const listed = this.#list.find(id);
    return this.#streams.get(id)?.view() ?? (listed && this.#view(listed));
  }

  #createBroadcast(stream: RemoteStream, { id, streamKey, playbackId }: AnsweredStream, first: IngestPair): RemoteBroadcast {
    const { meter, clock, oneClicks, changes, publish, mayChangeRegion, regionPatienceMs } = this.#options;
    const streamId = this.#ref(id);
    return new RemoteBroadcast({
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
      ...(regionPatienceMs !== undefined && { patienceMs: regionPatienceMs }),
    });
  }

  #ref(id: string): string {
    return formatStreamRef({ serviceId: this.#options.serviceId, id });
  }

  #changed(id: string): void {
    this.#list.readSoon();
    this.#options.changes.emit({ kind: 'changed', streamId: this.#ref(id) });
  }

  #open(id: string): RemoteStream {
    const known = this.#streams.get(id);
    if (known !== undefined) return known;
    const { serviceId, clock, oneClicks, playReports, changes, choices, sleepWatch } = this.#options;
    const streamId = this.#ref(id);
    const stream = new RemoteStream({
      serviceId,
      id,
      clock,
      service: () => ({ name: this.#remote.kept.name, api: this.#remote.api }),
      isRemoved: () => this.#isRemoved,
      oneClick: () => oneClicks.state(streamId),
      sound: () => this.#sound.judge(streamId),
      isSilenceMeant: (air) => this.#sound.isSilenceMeant(streamId, air),
      lastChoice: () => choices.find(streamId),
      playReports,
      findSleep: () => sleepWatch.findRecent(),
      onAnswer: () => runHarmlessly(() => this.#findNearest(streamId), 'asking for the nearest region'),
      onChange: () => changes.emit({ kind: 'changed', streamId }),
    });
    this.#streams.set(id, stream);
    return stream;
  }

  /** Without it, nothing plays the stream: it is asked for with every poll until the service has told it. */
  async #findNearest(streamId: string): Promise<void> {
    if (this.#isRemoved || this.#nearest.last !== undefined) return;
    await this.#nearest.find().then(() => this.#options.changes.emit({ kind: 'changed', streamId }), readRemoteFailure);
  }

  /** One that failed from here is remembered, though nothing asks for it: the list knows it better by now. */
  #refreshUnpolled(): void {
    if (this.#list.error !== undefined || this.#isRemoved) return;
    for (const [id, stream] of this.#streams) {
      const listed = this.#list.find(id);
      if (listed !== undefined && !stream.isPolled) stream.noteStream(listed);
    }
  }

  #forgetUnneeded(): void {
    for (const [id, stream] of this.#streams) if (!stream.isNeeded) this.#streams.delete(id);
  }

  #view(stream: AnsweredStream): StreamView {
    const known = this.#streams.get(stream.id)?.view();
    if (known !== undefined) return known;
    const { api } = this.#remote;
    const { serviceId, oneClicks } = this.#options;
    const oneClick = oneClicks.state(this.#ref(stream.id));
    return formatView(stream, {
      serviceId,
      clockAheadMs: api.clockAheadMs,
      air: stream.isActive ? { kind: 'on-air', ...this.#list.findOnAir(stream.id) } : describeInactive(oneClick),
      oneClick,
      isUnheard: this.#list.error !== undefined,
    });
  }

  #listViews(): StreamView[] {
    this.#refuseRemoved();
    return (this.#list.streams ?? []).map((stream) => this.#view(stream));
  }
}
