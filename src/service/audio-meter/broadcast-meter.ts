import { keepRunning } from '../../shared/keep-running.ts';
import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import type { SoundFrame } from '../health/sound-frame.ts';
import { judgeSound, noSoundYet, type SoundTrouble, stepSound } from '../health/sound-judge.ts';
import { reportFault } from '../lib/faults.ts';
import { retryPauseMs } from '../lib/retry-pause.ts';
import { type AudioUnit, type MediaUnit, soundMs } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig } from '../media/track-config.ts';
import type { Clock } from '../ports.ts';
import type { CanDecode } from '../transcode/decoder-probe.ts';
import { MeterRun, type MeterRunOptions } from './meter-run.ts';

/** The start of a broadcast has better uses for the processor. */
const startAfterMs = 1_000;
/** A measurement older than this says nothing about now. */
const freshMs = 1_500;
/** An ffmpeg that takes audio and measures nothing for so long hangs. */
const hangsAfterMs = 10_000;
/** The peaks of so many frames are shown together, so that a reader of every other value misses none. */
const peakFrames = 3;
/** An ffmpeg that measured as many frames has worked: its end is no sign that the next one won't. */
const provenFrames = 300;
/** So many that measured nothing, one after another, and nothing is measured for now. */
const failedRuns = 3;

/** What meters are made with. */
export interface MeterTools {
  ffmpeg: ServiceInfo['ffmpeg'];
  canDecode: CanDecode;
}

export interface AudioMeterOptions {
  tools: Promise<MeterTools>;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Called after each new measurement. */
  onMeasured: () => void;
  startRun?: (options: MeterRunOptions) => Pick<MeterRun, 'ended' | 'push' | 'kill'>;
}

/** A running meter, as a session knows it. */
export type RunningAudioMeter = Pick<BroadcastMeter, 'push' | 'read' | 'judge' | 'close'>;

/**
 * Measures the audio of one publisher with an ffmpeg of its own, which starts with the audio, is replaced when the audio's parameters
 * change, and is started again if it ends. Never throws: without ffmpeg, it measures nothing and says why.
 */
export class BroadcastMeter {
  readonly #options: AudioMeterOptions;
  #tools: MeterTools | undefined;
  #config: AudioConfig | undefined;
  #firstAudioAtMs: number | undefined;
  #why: Extract<AudioMeter, { kind: 'unmeasured' }>['why'] | undefined;
  /** Ends the ffmpegs of the current configuration. */
  #runs: AbortController | undefined;
  #run: Pick<MeterRun, 'push' | 'kill'> | undefined;
  /** The newest frames, oldest first. */
  #frames: readonly SoundFrame[] = [];
  #measuredAtMs = 0;
  /** How much audio ffmpeg has got since, in milliseconds. */
  #unmeasuredMs = 0;
  #sound = noSoundYet;
  #isClosed = false;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: AudioMeterOptions) {
    this.#options = options;
    options.tools.then(
      (tools) => {
        this.#tools = tools;
      },
      (error: unknown) => reportFault(error, 'looking for what meters audio'),
    );
  }

  /** Takes the next unit of the broadcast; video is ignored. */
  push(unit: MediaUnit): void {
    if (unit.type !== 'audio' || this.#isClosed) return;
    const now = this.#now;
    this.#firstAudioAtMs ??= now;
    if (this.#tools === undefined || now - this.#firstAudioAtMs < startAfterMs) return;
    if (!isSameConfig(this.#config, unit.config)) this.#start(this.#tools, unit.config);
    this.#feed(unit, now);
  }

  /** How loud it is now, or why that is unknown; undefined if there is no audio, or none has been measured yet. */
  read(): AudioMeter | undefined {
    if (this.#why !== undefined) return { kind: 'unmeasured', why: this.#why };
    const newest = this.#frames.at(-1);
    if (newest?.momentaryLufs === undefined || !this.#isFresh) return undefined;
    const { momentaryLufs, shortTermLufs, truePeaksDbtp } = newest;
    return {
      kind: 'measured',
      momentaryLufs,
      ...(shortTermLufs !== undefined && { shortTermLufs }),
      truePeaksDbtp: truePeaksDbtp.map((_, index) => Math.max(...this.#frames.map((frame) => frame.truePeaksDbtp[index] ?? 0))),
    };
  }

  /** What is wrong with the sound. */
  judge(): SoundTrouble[] {
    return this.#isFresh ? judgeSound(this.#sound, this.#now) : [];
  }

  /** Ends it; resolves, never rejects, when its ffmpeg has ended. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#runs?.abort();
    await this.#ended;
  }

  get #now(): number {
    return this.#options.clock.monotonicMs();
  }

  get #isFresh(): boolean {
    return this.#run !== undefined && this.#now - this.#measuredAtMs < freshMs;
  }

  #start({ ffmpeg, canDecode }: MeterTools, config: AudioConfig): void {
    this.#runs?.abort();
    this.#config = config;
    this.#why = undefined;
    if (ffmpeg.kind === 'missing') this.#why = 'no-ffmpeg';
    else if (!canDecode(config.format)) this.#why = 'undecodable';
    if (ffmpeg.kind === 'missing' || this.#why !== undefined) return;
    const runs = new AbortController();
    this.#runs = runs;
    let attempt = 0;
    const running = keepRunning((signal) => this.#measure(ffmpeg.path, config, signal), {
      signal: runs.signal,
      nextAfterMs: (frames) => {
        attempt = frames >= provenFrames ? 1 : attempt + 1;
        if (frames === 0 && attempt >= failedRuns) this.#why = 'failed';
        return retryPauseMs(attempt + 1);
      },
    });
    const ended = running.catch((error: unknown) => reportFault(error, 'metering audio'));
    this.#ended = Promise.all([this.#ended, ended]);
  }

  /** Runs one ffmpeg to its end; resolves with how many frames it measured. */
  async #measure(ffmpegPath: string, config: AudioConfig, signal: AbortSignal): Promise<number> {
    let frames = 0;
    this.#frames = [];
    this.#noteMeasured();
    const { startRun = (options) => new MeterRun(options) } = this.#options;
    const run = startRun({
      ffmpegPath,
      config,
      onFrame: (frame) => {
        frames += 1;
        if (this.#run === run && !signal.aborted) this.#take(frame);
      },
    });
    this.#run = run;
    const kill = () => run.kill();
    signal.addEventListener('abort', kill);
    await run.ended;
    signal.removeEventListener('abort', kill);
    if (this.#run === run) this.#run = undefined;
    return frames;
  }

  #take(frame: SoundFrame): void {
    this.#why = undefined;
    this.#noteMeasured();
    this.#frames = [...this.#frames, frame].slice(-peakFrames);
    this.#sound = stepSound(this.#sound, frame, this.#measuredAtMs);
    this.#options.onMeasured();
  }

  #noteMeasured(): void {
    this.#measuredAtMs = this.#now;
    this.#unmeasuredMs = 0;
  }

  #feed(unit: AudioUnit, now: number): void {
    if (this.#run === undefined) return;
    this.#run.push(unit);
    this.#unmeasuredMs += soundMs(unit);
    if (Math.min(this.#unmeasuredMs, now - this.#measuredAtMs) > hangsAfterMs) this.#run.kill();
  }
}
