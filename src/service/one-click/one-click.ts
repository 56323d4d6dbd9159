import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncodeChoice, EncodeSettings } from '../../shared/model/encode-settings.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Meters, OneClickState } from '../../shared/model/live.ts';
import type { OneClickFailure } from '../../shared/model/one-click-failure.ts';
import type { Source } from '../../shared/model/source.ts';
import type { RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import { floorFor } from '../bitrate/bitrate-control.ts';
import { BitrateFollower } from '../bitrate/bitrate-follower.ts';
import { Feed } from '../capture/feed.ts';
import type { CaptureTools } from '../capture/parts.ts';
import { describeSent } from '../health/sent-meters.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';
import { notLive, overtaken } from './change-failure.ts';
import { gopFramesOf } from './encode-args.ts';
import { CostMeter, type EncodeCosts } from './encode-costs.ts';
import { EncodePace } from './encode-pace.ts';
import { OneClickEncoders } from './one-click-encoders.ts';
import type { OneClickEvent } from './one-click-event.ts';
import { describeOneClick, isLowered } from './one-click-state.ts';
import { SentSound, type SentSoundOptions } from './sent-sound.ts';
import { findSourceFailure, refuseBroken } from './source-failure.ts';
import { Upload, type UploadOptions, type UploadState } from './upload.ts';
import type { CarriedRate } from './upload-speeds.ts';
import { UploadSteadiness } from './upload-steadiness.ts';
import { WayReport } from './way-report.ts';

export interface OneClickOptions {
  source: Source;
  encode: EncodeChoice;
  /** The settings that `encode` resolves to. */
  settings: EncodeSettings;
  tools: CaptureTools;
  encoder: EncoderName;
  /** Whether x264 looks some frames ahead, for better pictures that come later. */
  looksAhead: boolean;
  /** Learns the cost of the encode. */
  costs: Pick<EncodeCosts, 'learn'>;
  clock: Clock;
  network: UploadOptions['network'];
  /** Opens a connection to the region's ingest; it resolves when the ingest takes media. */
  connect: (signal: AbortSignal) => Promise<MediaPublisher>;
  /** How to meter audio that goes to another computer. */
  sound: SentSoundOptions;
  onEvent: (event: OneClickEvent) => void;
  /** Called every 10 s with the bitrate that the way to the ingest carries. */
  onCarried: (carried: CarriedRate) => void;
  /**
   * Its ffmpeg failed for good: nothing more will be sent. Called before the ingest connection closes. `hadMedia`: there was something to
   * send before, so that it may be on air.
   */
  onFailed: (failure: EncodeFailure, hadMedia: boolean) => void;
}

/** One one-click broadcast from start to end: a source is captured, ffmpeg encodes it, our RTMP client publishes. Single use. */
export class OneClick {
  readonly changes = createEventSource<void>();
  readonly #options: OneClickOptions;
  readonly #since: number;
  readonly #feed: Feed;
  #encoders: OneClickEncoders | undefined;
  readonly #follower: BitrateFollower;
  readonly #cost = new CostMeter();
  readonly #sound: SentSound;
  /** The meters of what it sent when it last lost the ingest. */
  #lastSent: Meters | undefined;
  #upload: Upload | undefined;
  #uploadState: UploadState = { kind: 'connecting' };
  #hasSent = false;
  readonly #steadiness: UploadSteadiness;
  readonly #pace = new EncodePace();
  readonly #wayReport: WayReport;
  #ended: Extract<OneClickState, { kind: 'idle' | 'stopping' | 'failed' }> | undefined;

  constructor(options: OneClickOptions) {
    this.#options = options;
    const { source, settings, tools, clock } = options;
    const { width, height, fps } = settings;
    this.#since = clock.monotonicMs();
    this.#steadiness = new UploadSteadiness(fps);
    this.#sound = new SentSound(options.sound);
    this.#wayReport = new WayReport(options);
    this.#feed = new Feed({ source, format: { width, height, fps }, gopFrames: gopFramesOf(settings), tools, clock });
    this.#follower = new BitrateFollower({
      bounds: {
        floorBps: floorFor(settings.videoBitrateBps),
        ceilingBps: settings.videoBitrateBps,
        audioBitrateBps: settings.audioBitrateBps,
      },
      clock,
      measure: () => this.#upload?.measureWay(),
      replace: (bitrateBps) => this.#replace(bitrateBps),
      onEvent: (event) => options.onEvent({ code: 'bitrate', event }),
    });
    this.#feed.awayChanges.on(() => this.changes.emit());
    this.#feed.pauses.on(() => this.#pace.notePause(clock.monotonicMs()));
    this.#begin().catch((error: unknown) => reportFault(error, 'starting a one-click broadcast'));
  }

  /** Encodes once there is something to encode. */
  async #begin(): Promise<void> {
    await this.#feed.start();
    if (this.#ended) return;
    const failure = findSourceFailure(this.#feed.away);
    if (failure) this.#failEncode(failure, this.#feed.pictureLog);
    else this.#encoders = this.#startEncoders();
  }

  #startEncoders(): OneClickEncoders {
    const options = this.#options;
    const { settings, encoder, looksAhead, tools, clock } = options;
    return new OneClickEncoders({
      feed: this.#feed,
      settings,
      ffmpegPath: tools.ffmpegPath,
      encoder,
      looksAhead,
      clock,
      // Connects once there is something to send.
      onUnit: (unit) => {
        this.#upload ??= this.#startUpload();
        this.#upload.send(unit);
        this.#sound.push(unit);
      },
      onMetadata: (metadata) => {
        this.#upload ??= this.#startUpload();
        this.#upload.announce(metadata);
      },
      onProgress: (progress, pid) => {
        this.#pace.push(clock.monotonicMs(), progress);
        this.#noteCost(pid, progress.frame);
        this.#steadiness.note(this.#upload?.droppedFrames ?? 0, clock.monotonicMs());
        if (this.#upload)
          this.#wayReport.follow(this.#upload, isLowered({ follower: this.#follower, settings }), clock.monotonicMs());
        this.changes.emit();
      },
      onFallback: (failed) => {
        this.#pace.restart();
        options.onEvent({ code: 'encoder-fell-back', encoder: failed });
      },
      onRestart: ({ failure }, waitMs, track) => {
        if (track === 'video') this.#pace.restart();
        options.onEvent({ code: 'encoder-restarted', track, failure, ...(waitMs > 0 && { waitMs }) });
      },
      onFailed: ({ failure, stderr }) => this.#failEncode(failure, stderr),
    });
  }

  /** The source on air, or the first one to be. */
  get source(): Source {
    return this.#feed.source;
  }

  /** How it is encoded, as its owner chose. */
  get encode(): EncodeChoice {
    return this.#options.encode;
  }

  /** Meters what it sends to another computer; undefined while nothing arrives there. */
  get soundMeter(): RunningAudioMeter | undefined {
    return this.state.kind === 'running' ? this.#sound.meter : undefined;
  }

  /** The meters of what it sends; while the ingest is tried again, the last ones. */
  get sentMeters(): Meters | undefined {
    const { state } = this;
    return state.kind === 'retrying' ? this.#lastSent : describeSent(state, this.#options.clock.now());
  }

  get state(): OneClickState {
    if (this.#ended) return this.#ended;
    const { encode, settings, clock } = this.#options;
    return describeOneClick({
      encode,
      settings,
      sinceMs: this.#since,
      feed: this.#feed,
      pace: this.#pace,
      follower: this.#follower,
      steadiness: this.#steadiness,
      upload: this.#upload,
      uploadState: this.#uploadState,
      clock,
    });
  }

  reconnectNow(): void {
    this.#upload?.reconnectNow();
  }

  /**
   * Broadcasts another source from the next keyframe on, in the same session. Resolves when it is on air.
   *
   * @param signal withdraws the change: the old source stays
   * @throws {ServiceError} SOURCE_FAILED when files of the new source can't be read: the old source stays. CHANGE_OVERTAKEN when another
   *   change came before the source was on air, OFF_AIR when the broadcast ended before
   */
  async changeSource(source: Source, signal?: AbortSignal): Promise<void> {
    const isOn = await this.#feed.change(source, refuseBroken, signal);
    if (!isOn) signal?.throwIfAborted();
    if (!isOn && this.#ended) throw notLive();
    if (!isOn) throw overtaken();
    this.#sound.meter?.forgetLoudness();
    this.#options.onEvent({ code: 'source-changed' });
    this.changes.emit();
  }

  /** Ends the broadcast within 5 s, in any state; may be called twice. Returns false only if a connected ingest didn't hear. */
  async stop(): Promise<boolean> {
    if (this.#ended?.kind === 'failed') return this.#closeParts();
    if (this.#ended?.kind === 'idle') return true;
    const { encode, settings } = this.#options;
    this.#ended = { kind: 'stopping', source: this.source, encode, settings };
    this.changes.emit();
    const isHeard = await this.#closeParts();
    this.#ended = { kind: 'idle' };
    this.changes.emit();
    return isHeard;
  }

  /** Another ffmpeg says nothing about the pace of the one before. */
  async #replace(bitrateBps: number): Promise<boolean> {
    const isReplaced = (await this.#encoders?.replace(bitrateBps)) === true;
    if (isReplaced) this.#pace.restart();
    return isReplaced;
  }

  #noteCost(pid: number | undefined, frame: number | undefined): void {
    const used = this.#cost.push(pid, frame);
    const encoder = this.#encoders?.encoder;
    if (used === undefined || encoder === undefined) return;
    const { width, height } = this.#options.settings;
    this.#options.costs.learn(encoder, { cpuSeconds: used.cpuSeconds, pixels: used.frames * width * height });
  }

  #startUpload(): Upload {
    const { connect, clock, network, onEvent } = this.#options;
    return new Upload({
      connect,
      clock,
      network,
      onState: (state) => {
        if (state.kind === 'sending') this.#hasSent = true;
        const wasSending = this.#uploadState.kind === 'sending';
        if (wasSending) this.#lastSent = describeSent(this.state, clock.now());
        if (state.kind === 'retrying' && (state.attempt === 1 || wasSending))
          onEvent({ code: this.#hasSent ? 'ingest-lost' : 'ingest-unreached', failure: state.failure });
        if (state.kind === 'sending') {
          this.#follower.connected();
          this.#steadiness.connected(clock.monotonicMs());
        } else this.#follower.disconnected();
        this.#uploadState = state;
        this.changes.emit();
      },
      onRefused: (failure) => this.#fail(failure, []),
    });
  }

  /** There is nothing to encode, or no encoder. */
  #failEncode(failure: EncodeFailure, stderr: string[]): void {
    if (this.#ended === undefined) this.#options.onFailed(failure, this.#upload !== undefined);
    this.#fail(failure, stderr);
  }

  #fail(failure: OneClickFailure, stderr: string[]): void {
    if (this.#ended) return;
    const { clock, onEvent } = this.#options;
    this.#ended = { kind: 'failed', source: this.#feed.source, at: clock.now(), failure, stderr };
    onEvent({ code: 'go-live-failed', failure });
    this.changes.emit();
    this.#closeParts().catch((error: unknown) => reportFault(error, 'closing a one-click broadcast that failed'));
  }

  /** Returns whether the ingest heard. */
  async #closeParts(): Promise<boolean> {
    this.#follower.close();
    const [isHeard = true] = await Promise.all([this.#upload?.close(), this.#encoders?.stop(), this.#sound.close()]);
    await this.#feed.close();
    return isHeard;
  }
}
