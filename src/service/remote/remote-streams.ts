import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { NewStream, StreamChanges } from '../../shared/model/stream.ts';
import type { SessionView, StreamLive, StreamsEvent, StreamView } from '../../shared/model/views.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { OneClickEvent } from '../one-click/one-click-event.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import { formatIngestAddress } from '../publishing/ingest-url.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import type { RemoteStreamService } from '../services/stream-service.ts';
import type { ChoiceLedger } from '../streams/choice-ledger.ts';
import { NearestPair } from './nearest-pair.ts';
import { RemoteError, readRemoteFailure } from './remote-error.ts';
import { RemoteList } from './remote-list.ts';
import type { Remote, RemoteServices } from './remote-services.ts';
import { listRemoteSessions } from './remote-sessions.ts';
import { RemoteSound, type RemoteSoundOptions } from './remote-sound.ts';
import { RemoteStop } from './remote-stop.ts';
import { RemoteStreamSet, type RemoteStreamSetOptions } from './remote-stream-set.ts';
import { watchRemoteList } from './watch-remote-list.ts';

export interface RemoteStreamsOptions extends RemoteSoundOptions, Omit<RemoteStreamSetOptions, 'list' | 'nearest' | 'sound'> {
  remotes: Pick<RemoteServices, 'get' | 'find' | 'readPairs'>;
  oneClicks: Pick<OneClicks, 'state' | 'isSent' | 'sentMeters' | 'stop' | 'forget' | 'reconnectNow'> &
    RemoteSoundOptions['oneClicks'];
  choices: ChoiceLedger;
}

/** The streams of a remote service, over its interface. Nothing is polled while nobody watches and this computer doesn't send to it. */
export class RemoteStreams implements RemoteStreamService {
  readonly #options: RemoteStreamsOptions;
  readonly #list: RemoteList;
  readonly #nearest: NearestPair;
  readonly #sound: RemoteSound;
  readonly #streams: RemoteStreamSet;
  readonly #stop: RemoteStop;

  constructor(options: RemoteStreamsOptions) {
    this.#options = options;
    const { remotes, meter, clock, oneClicks } = options;
    this.#sound = new RemoteSound(options);
    this.#list = new RemoteList({ api: () => this.#remote.api, clock });
    this.#nearest = new NearestPair({ remote: () => this.#remote, remotes, meter, clock });
    this.#streams = new RemoteStreamSet({ ...options, list: this.#list, nearest: this.#nearest, sound: this.#sound });
    this.#stop = new RemoteStop({ api: () => this.#remote.api, oneClicks, refOf: (id) => this.#ref(id) });
  }

  /** Also forgets its failed one-click broadcasts. */
  async close(): Promise<void> {
    this.#list.readSoon();
    await this.#streams.close();
  }

  get #remote(): Remote {
    return this.#options.remotes.get(this.#options.serviceId);
  }

  /** A removed service's answers aren't shown any more. @throws {ServiceError} NOT_FOUND */
  #refuseRemoved(): void {
    this.#options.remotes.get(this.#options.serviceId);
  }

  async create(input: NewStream): Promise<StreamView> {
    const created = await this.#remote.api.createStream(input);
    this.#list.readSoon();
    return this.#streams.view(created);
  }

  async update(id: string, changes: StreamChanges): Promise<StreamView> {
    const { api } = this.#remote;
    await api.updateStream(id, changes);
    const stream = await api.getStream(id);
    const watched = this.#streams.find(id);
    watched?.noteStream(stream);
    watched?.readSoon();
    this.#changed(id);
    return this.#streams.view(stream);
  }

  async delete(id: string): Promise<void> {
    await this.#remote.api.deleteStream(id);
    await this.#options.oneClicks.forget(this.#ref(id));
    this.#options.choices.save(this.#ref(id), undefined);
    this.#streams.find(id)?.readSoon();
    this.#changed(id);
  }

  watchAll(signal: AbortSignal): AsyncGenerator<StreamsEvent, void> {
    return watchRemoteList({ list: this.#list, changes: this.#options.changes, listViews: () => this.#listViews() }, signal);
  }

  /** @throws {RemoteError} if the first answer is a failure, or later if the stream is gone; NOT_FOUND if the service is removed */
  async *watch(id: string, pageId: string | undefined, signal: AbortSignal): AsyncGenerator<StreamLive, void> {
    const stream = this.#streams.open(id);
    const release = stream.need();
    try {
      if (stream.answer === undefined) {
        await Promise.all([untilAborted(stream.nextRead(), signal), this.#nearest.find().catch(readRemoteFailure)]);
      }
      const read = (): StreamLive => {
        this.#refuseRemoved();
        const { failure } = stream;
        // While we send to the stream, it exists, so the 404 was a proxy's.
        const isGone = failure?.code === 'no-such-stream' && !this.#options.oneClicks.isSent(this.#ref(id));
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
      this.#streams.forgetUnneeded();
    }
  }

  watchAudio(id: string, signal: AbortSignal): AsyncGenerator<{ meter?: AudioMeter }, void> {
    return this.#sound.watch(this.#ref(id), signal);
  }

  async revealKey(id: string): Promise<string> {
    return (await this.#remote.api.getStream(id)).streamKey;
  }

  async renewKey(): Promise<void> {
    refuseNotOffered();
  }

  sessions(id: string, limit: number): Promise<SessionView[]> {
    return listRemoteSessions(this.#remote.api, id, limit);
  }

  check(id: string): void {
    if (this.#streams.find(id) === undefined && this.#list.find(id) === undefined)
      throw new RemoteError({ code: 'no-such-stream' });
  }

  /** The service makes the renditions, so this computer makes none. */
  profilesMadeHere(): readonly Profile[] {
    return [];
  }

  ingestAddress(id: string): string | undefined {
    const pair = this.#streams.find(id)?.broadcast?.route.region ?? this.#nearest.last;
    return pair && formatIngestAddress(pair.ingest);
  }

  /** Reads the stream's key, and chooses the nearest region. Ingest and playback are always of the same region. */
  async prepareGoLive(id: string, signal: AbortSignal): Promise<void> {
    const stream = this.#streams.open(id);
    stream.followOneClick();
    await this.#stop.untilTerminated(id);
    const read = async () => {
      const answer = await this.#remote.api.getStream(id);
      // Another start may have begun since this one was stopped.
      signal.throwIfAborted();
      stream.noteStream(answer);
      return answer;
    };
    const [answer, pair] = await Promise.all([read(), this.#nearest.choose()]);
    signal.throwIfAborted();
    this.#streams.begin(stream, answer, pair);
    this.#options.changes.emit({ kind: 'changed', streamId: this.#ref(id) });
  }

  readonly isElsewhere = () => true;

  async connect(id: string, signal: AbortSignal): Promise<MediaPublisher> {
    const route = this.#streams.find(id)?.broadcast?.route;
    if (route === undefined) throw new Error('A broadcast to a remote service was not prepared.');
    return route.connect(signal);
  }

  async stop(id: string): Promise<void> {
    const stream = this.#streams.find(id);
    const view = stream?.view();
    stream?.oneClick.begin();
    try {
      await this.#stop.stop(id, view, stream?.wasSent === true);
    } finally {
      stream?.oneClick.end(this.#options.clock.monotonicMs());
      stream?.readSoon();
    }
  }

  changeRegion(id: string, region: string): boolean {
    return this.#streams.find(id)?.broadcast?.route.takeOffer(region) === true;
  }

  letIn(): void {
    refuseNotOffered();
  }

  acceptSilence(id: string): void {
    this.#sound.acceptSilence(this.#ref(id), this.#streams.find(id)?.view()?.air ?? { kind: 'off-air' });
  }

  setRenditions(): void {
    refuseNotOffered();
  }

  async dismissLost(id: string): Promise<void> {
    const ref = this.#ref(id);
    this.#streams.find(id)?.dismissLost();
    // A broadcast that is still trying continues.
    if (!this.#options.oneClicks.isSent(ref)) await this.#options.oneClicks.forget(ref);
    this.#changed(id);
  }

  noteEvent(id: string, event: OneClickEvent): void {
    this.#streams.find(id)?.addLine(event);
  }

  /** The ingest gets our goodbye, and needs nothing else. */
  ownEncoderFailed(): void {}

  findOnAir(id: string): StreamView | undefined {
    if (this.#options.oneClicks.state(this.#ref(id)).kind === 'idle') return undefined;
    const listed = this.#list.find(id);
    return this.#streams.find(id)?.view() ?? (listed && this.#streams.view(listed));
  }

  #ref(id: string): string {
    return this.#streams.refOf(id);
  }

  #changed(id: string): void {
    this.#list.readSoon();
    this.#options.changes.emit({ kind: 'changed', streamId: this.#ref(id) });
  }

  #listViews(): StreamView[] {
    this.#refuseRemoved();
    return (this.#list.streams ?? []).map((stream) => this.#streams.view(stream));
  }
}

/** The interface has no call for this: refuses it as a service would that doesn't know the method (405). */
function refuseNotOffered(): never {
  throw new RemoteError({ code: 'not-offered', status: 405 });
}
