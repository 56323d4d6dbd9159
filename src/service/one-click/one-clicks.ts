import { ServiceError } from '../../shared/errors.ts';
import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncodeChoice, EncodePreview } from '../../shared/model/encode-settings.ts';
import type { Meters, OneClickState } from '../../shared/model/live.ts';
import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import type { Source } from '../../shared/model/source.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';
import type { MeterStarter, RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import type { CaptureSources } from '../capture/parts.ts';
import { createEventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import { requireFfmpeg } from '../media-tools/require-ffmpeg.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { notLive, overtaken } from './change-failure.ts';
import type { EncodeCosts } from './encode-costs.ts';
import type { EncodePlanner } from './encode-planner.ts';
import type { EncodeTools } from './encode-tools.ts';
import { OneClick, type OneClickOptions } from './one-click.ts';
import type { OneClickEvent } from './one-click-event.ts';
import { SourceFiles } from './source-files.ts';
import type { CarriedRate } from './upload-speeds.ts';

export interface OneClicksOptions {
  clock: Clock;
  network: OneClickOptions['network'];
  /** The first step of a start, like finding out where the stream's service wants its media. Aborting it isn't a failure. */
  prepare: (streamId: string, signal: AbortSignal) => Promise<void>;
  findTools: () => Promise<EncodeTools>;
  planner: Pick<EncodePlanner, 'plan'>;
  captures: CaptureSources;
  /** Whether the next broadcast's x264 looks ahead. */
  looksAhead: () => boolean;
  /** Learns the costs of encodes. */
  costs: Pick<EncodeCosts, 'learn'>;
  /** A broadcast has media to send and is about to connect for the first time. */
  onReady: (streamId: string) => void;
  /** Opens a connection to the ingest that this stream's route names. */
  connect: (streamId: string, signal: AbortSignal) => Promise<MediaPublisher>;
  /** Whether this stream's broadcast goes to another computer. */
  isElsewhere: (streamId: string) => boolean;
  /** Starts a meter of the audio that goes there, which calls `onMeasured` with each new value. */
  startAudioMeter: MeterStarter;
  /** The stream's one-click state changed. */
  onChange: (streamId: string) => void;
  /** Its broadcast has another source from now on. */
  onSourceChanged: (streamId: string) => void;
  onEvent: (streamId: string, event: OneClickEvent) => void;
  /** Called with the bitrate that the way to a stream's ingest carries. */
  onCarried: (streamId: string, carried: CarriedRate) => void;
  /** Its encoder failed for good. `hadMedia`: it may have been on air. */
  onFailed: (streamId: string, failure: EncodeFailure, hadMedia: boolean) => void;
}

/** A *Go live* that is being prepared: its stream is taken, but nothing runs yet. */
interface Start {
  state: Extract<OneClickState, { kind: 'starting' }>;
  abort: AbortController;
}

/** The one-click broadcasts of all streams, at most one per stream. */
export class OneClicks {
  readonly #options: OneClicksOptions;
  readonly #starts = new Map<string, Start>();
  readonly #byStreamId = new Map<string, OneClick>();
  readonly #files = new SourceFiles();
  readonly #heard = createEventSource<string>();
  /** Numbers the changes of source as they are asked for: their files may be found in another order. */
  #changes = 0;
  /** The latest change whose files were found. */
  readonly #newestChange = new WeakMap<OneClick, number>();
  #isClosed = false;

  constructor(options: OneClicksOptions) {
    this.#options = options;
  }

  state(streamId: string): OneClickState {
    return this.#starts.get(streamId)?.state ?? this.#byStreamId.get(streamId)?.state ?? { kind: 'idle' };
  }

  /** Whether this computer sends the stream or is about to. */
  isSent(streamId: string): boolean {
    return isSentFromHere(this.state(streamId));
  }

  /** The states of all of them, failed ones included. */
  get states(): OneClickState[] {
    return this.streamIds.map((streamId) => this.state(streamId));
  }

  /** Meters what a stream's broadcast sends to another computer; undefined if none does, or while it isn't sent. */
  soundMeter(streamId: string): RunningAudioMeter | undefined {
    return this.#byStreamId.get(streamId)?.soundMeter;
  }

  /** The meters of what a stream's broadcast sends; while its ingest is tried again, the last ones. */
  sentMeters(streamId: string): Meters | undefined {
    return this.#byStreamId.get(streamId)?.sentMeters;
  }

  /** Calls `listener` with a stream's id after each new value of that meter; returns the undo. */
  get onHeard() {
    return this.#heard.on;
  }

  /** The streams with a broadcast, failed ones included. */
  get streamIds(): string[] {
    return [...new Set([...this.#starts.keys(), ...this.#byStreamId.keys()])];
  }

  /**
   * Goes live; answers once ffmpeg is started, and {@link state} tells the rest. The stream is taken at once.
   * A {@link stop} meanwhile, at any step, cancels the start: nothing runs then, and that is not a failure. Returns whether it began.
   *
   * @throws {ServiceError} ALREADY_LIVE when one runs, FFMPEG_NOT_FOUND, SOURCE_FAILED when the file is not there, or what `prepare`
   *   throws
   */
  async goLive(streamId: string, choice: OneClickChoice): Promise<boolean> {
    if (this.#isClosed) throw new ServiceError('UNAVAILABLE', 'Tallylight is closing.');
    if (this.isSent(streamId)) {
      throw new ServiceError('ALREADY_LIVE', 'This computer is sending the stream already, or is starting or stopping it.');
    }
    const { clock, onChange } = this.#options;
    const abort = new AbortController();
    this.#starts.set(streamId, { state: { kind: 'starting', ...choice, since: clock.now() }, abort });
    // If this start is cancelled or refused, screens must not take over the source that failed before.
    this.#byStreamId.delete(streamId);
    onChange(streamId);
    try {
      const prepared = await untilAborted(this.#prepare(streamId, choice, abort.signal), abort.signal);
      // It may have been stopped meanwhile.
      abort.signal.throwIfAborted();
      this.#starts.delete(streamId);
      this.#byStreamId.set(streamId, this.#open(streamId, { ...choice, ...prepared }));
      return true;
    } catch (error) {
      if (abort.signal.aborted) return false;
      this.#starts.delete(streamId);
      throw error;
    } finally {
      onChange(streamId);
    }
  }

  /** The settings and the cost of going live with this choice. */
  async preview(streamId: string, choice: OneClickChoice): Promise<EncodePreview> {
    return (await this.#options.planner.plan(streamId, choice)).preview;
  }

  /**
   * Ends the stream's one-click broadcast, running or starting, in under 5 s. Returns false only if a connected ingest didn't hear.
   */
  async stop(streamId: string): Promise<boolean> {
    this.#starts.get(streamId)?.abort.abort();
    this.#starts.delete(streamId);
    const oneClick = this.#byStreamId.get(streamId);
    const isHeard = await oneClick?.stop();
    // A failed broadcast stays until the next one starts, so that screens can say why.
    if (oneClick?.state.kind === 'idle' && this.#byStreamId.get(streamId) === oneClick) this.#byStreamId.delete(streamId);
    return isHeard ?? true;
  }

  /** As {@link stop}, and drops its state. */
  async forget(streamId: string): Promise<void> {
    const oneClick = this.#byStreamId.get(streamId);
    await this.stop(streamId);
    // Another may have started meanwhile.
    if (oneClick === undefined || this.#byStreamId.get(streamId) !== oneClick) return;
    this.#byStreamId.delete(streamId);
    this.#options.onChange(streamId);
  }

  /** Forgets that the stream's last one-click broadcast failed. */
  forgetFailure(streamId: string): void {
    if (this.state(streamId).kind !== 'failed') return;
    runHarmlessly(() => this.forget(streamId), 'forgetting a broadcast that failed');
  }

  /**
   * Broadcasts another source, without leaving the air. Returns how it is encoded.
   *
   * @throws {ServiceError} OFF_AIR when the stream isn't live from this computer, SOURCE_FAILED when files that it brings can't be read,
   *   CHANGE_OVERTAKEN when another change came before it was on air
   */
  async changeSource(streamId: string, source: Source, signal?: AbortSignal): Promise<EncodeChoice> {
    const oneClick = this.#getRunning(streamId);
    this.#changes += 1;
    const change = this.#changes;
    await this.#files.check(source, oneClick.source);
    // It may have been stopped meanwhile, or another one started.
    if (this.#getRunning(streamId) !== oneClick) throw notLive();
    if (change < (this.#newestChange.get(oneClick) ?? change)) throw overtaken();
    this.#newestChange.set(oneClick, change);
    await oneClick.changeSource(source, signal);
    this.#options.onSourceChanged(streamId);
    return oneClick.encode;
  }

  #getRunning(streamId: string): OneClick {
    const oneClick = this.#byStreamId.get(streamId);
    const { kind } = this.state(streamId);
    if (oneClick === undefined || kind === 'failed' || kind === 'stopping') throw notLive();
    return oneClick;
  }

  reconnectNow(streamId: string): void {
    this.#byStreamId.get(streamId)?.reconnectNow();
  }

  /** Ends all of them and starts no more; may be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#starts.keys(), ...this.#byStreamId.keys()].map((streamId) => this.stop(streamId)));
  }

  async #prepare(
    streamId: string,
    choice: OneClickChoice,
    signal: AbortSignal,
  ): Promise<Pick<OneClickOptions, 'tools' | 'encoder' | 'settings'>> {
    await this.#options.prepare(streamId, signal);
    signal.throwIfAborted();
    const { ffmpeg, ...found } = await this.#options.findTools();
    const ffmpegPath = requireFfmpeg(ffmpeg);
    await this.#files.check(choice.source);
    signal.throwIfAborted();
    const { encoder, preview } = await this.#options.planner.plan(streamId, choice);
    const tools = { ffmpegPath, ...found, ...this.#options.captures };
    return { tools, encoder, settings: preview.settings };
  }

  #open(streamId: string, prepared: Pick<OneClickOptions, 'source' | 'encode' | 'settings' | 'tools' | 'encoder'>): OneClick {
    const { clock, network, looksAhead, costs, connect, onReady, onChange, onEvent, onCarried, onFailed } = this.#options;
    const { isElsewhere, startAudioMeter } = this.#options;
    let isReady = false;
    const oneClick = new OneClick({
      ...prepared,
      looksAhead: looksAhead(),
      costs,
      clock,
      network,
      connect: (signal) => {
        if (!isReady) runHarmlessly(() => onReady(streamId), 'letting our own publisher in');
        isReady = true;
        return connect(streamId, signal);
      },
      sound: {
        isElsewhere: () => isElsewhere(streamId),
        startMeter: () => startAudioMeter(() => this.#heard.emit(streamId)),
      },
      onEvent: (event) => runHarmlessly(() => onEvent(streamId, event), 'reporting what happened to a one-click broadcast'),
      onCarried: (carried) => runHarmlessly(() => onCarried(streamId, carried), 'noting what an upload carries'),
      onFailed: (...failed) => runHarmlessly(() => onFailed(streamId, ...failed), 'ending the broadcast of a failed one-click'),
    });
    oneClick.changes.on(() => onChange(streamId));
    return oneClick;
  }
}
