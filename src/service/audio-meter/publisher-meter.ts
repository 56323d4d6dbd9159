import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { forgetLoudness, judgeSound, noSoundYet, resumeSound, type SoundTrouble, stepSound } from '../health/sound-judge.ts';
import { reportFault } from '../lib/faults.ts';
import { audioMs, type MediaUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig } from '../media/track-config.ts';
import type { Clock } from '../ports.ts';
import type { CanDecode } from '../transcode/decoder-probe.ts';
import { KeptMeter } from './kept-meter.ts';
import { MeterRun, type MeterRunOptions } from './meter-run.ts';

/** Measure only from here on: the start of a broadcast has better uses for the processor. */
const startAfterMs = 1_000;
/** How often it measures: while a page shows the result, and otherwise for the verdicts alone, which are about seconds. */
const shownPieceMs = 200;
const judgedPieceMs = 1_000;
/** A page that shows the result reads it at each tick of the stream, once a second. */
const shownForMs = 2_500;

/** If no audio came for longer than this, it was away. */
const absentAfterMs = 2_000;

/** What meters need of this computer: ffmpeg and its decoders. */
export interface MeterTools {
  ffmpeg: ServiceInfo['ffmpeg'];
  canDecode: CanDecode;
}

export interface AudioMeterOptions {
  tools: Promise<MeterTools>;
  /** Calls `listener` with new tools, such as when ffmpeg is found; returns the undo. */
  onTools: (listener: (tools: MeterTools) => void) => () => void;
  clock: Pick<Clock, 'monotonicMs'>;
  /** How loud the broadcast should be, in LUFS. */
  loudnessTargetLufs: () => number;
  /** Called after each new measurement. */
  onMeasured: () => void;
  startRun?: (options: MeterRunOptions) => Pick<MeterRun, 'ended' | 'push' | 'kill'>;
}

/** A running meter, as a session knows it. */
export type RunningAudioMeter = Pick<PublisherMeter, 'push' | 'read' | 'judge' | 'heardMs' | 'forgetLoudness' | 'close'>;

/** Starts a meter, which calls `onMeasured` with each new value. */
export type MeterStarter = (onMeasured: () => void) => RunningAudioMeter;

/**
 * Measures the audio of one publisher with its own ffmpeg, which starts with the audio, is replaced when the audio's parameters
 * change, and is started again if it ends. Never throws: without ffmpeg, it measures nothing and says why.
 */
export class PublisherMeter {
  readonly #options: AudioMeterOptions;
  readonly #offTools: () => void;
  #tools: MeterTools | undefined;
  #config: AudioConfig | undefined;
  #firstAudioAtMs: number | undefined;
  /** When the publisher's newest frame came, silent stand-ins not counted; before the first, when any audio first came. */
  #ownAudioAtMs: number | undefined;
  /** Why audio of the current configuration can't be measured. */
  #why: 'no-ffmpeg' | 'undecodable' | undefined;
  /** The meter of the current configuration. */
  #kept: KeptMeter<Pick<MeterRun, 'ended' | 'push' | 'kill'>> | undefined;
  #sound = noSoundYet;
  /** When it was last read. */
  #readAtMs: number | undefined;
  #isClosed = false;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: AudioMeterOptions) {
    this.#options = options;
    options.tools.then(
      (tools) => this.#take(tools),
      (error: unknown) => reportFault(error, 'looking for what meters audio'),
    );
    this.#offTools = options.onTools((tools) => this.#take(tools));
  }

  /** Takes the next unit of the broadcast; video is ignored. */
  push(unit: MediaUnit): void {
    if (unit.type !== 'audio' || this.#isClosed) return;
    const now = this.#now;
    // Missing audio isn't silence, even though we fill it with silence.
    this.#ownAudioAtMs ??= now;
    if (now - this.#ownAudioAtMs > absentAfterMs) this.#sound = resumeSound(this.#sound);
    if (!unit.standsIn) this.#ownAudioAtMs = now;
    this.#firstAudioAtMs ??= now;
    if (this.#tools === undefined || now - this.#firstAudioAtMs < startAfterMs) return;
    if (!isSameConfig(this.#config, unit.config)) this.#start(this.#tools, unit.config);
    const run = this.#kept?.run;
    if (run === undefined) return;
    run.push(unit, this.#readAtMs !== undefined && now - this.#readAtMs < shownForMs ? shownPieceMs : judgedPieceMs);
    this.#kept?.noteFed(audioMs(unit));
  }

  /**
   * How loud it is now, or why that is unknown; undefined if there is no audio, or none has been measured yet. It measures more often
   * while it is read.
   */
  read(): AudioMeter | undefined {
    this.#readAtMs = this.#now;
    return this.#why === undefined ? this.#kept?.read() : { kind: 'unmeasured', why: this.#why };
  }

  /** The troubles with the sound, the worst first. */
  judge(): SoundTrouble[] {
    return this.#kept?.isFresh ? judgeSound(this.#sound, this.#now) : [];
  }

  /** Another source is heard from now on: judges its loudness by itself. */
  forgetLoudness(): void {
    this.#sound = forgetLoudness(this.#sound);
  }

  /** How much sound there was so far, in milliseconds, without the silence. */
  get heardMs(): number {
    return this.#sound.heardMs;
  }

  /** Ends it; resolves, never rejects, when its ffmpeg has ended. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#offTools();
    await Promise.all([this.#ended, this.#kept?.close()]);
  }

  get #now(): number {
    return this.#options.clock.monotonicMs();
  }

  #take(tools: MeterTools): void {
    this.#tools = tools;
    // Audio that couldn't be measured is tried again with its next unit.
    if (this.#why !== undefined) this.#config = undefined;
  }

  #start({ ffmpeg, canDecode }: MeterTools, config: AudioConfig): void {
    this.#ended = Promise.all([this.#ended, this.#kept?.close()]);
    this.#kept = undefined;
    this.#config = config;
    this.#why = undefined;
    if (ffmpeg.kind === 'missing') this.#why = 'no-ffmpeg';
    else if (!canDecode(config.format)) this.#why = 'undecodable';
    if (ffmpeg.kind === 'missing' || this.#why !== undefined) return;
    let ffmpegPath = ffmpeg.path;
    const { clock, loudnessTargetLufs, onMeasured, startRun = (options) => new MeterRun(options) } = this.#options;
    this.#kept = new KeptMeter({
      clock,
      startRun: (onFrame) => {
        this.#sound = resumeSound(this.#sound);
        // ffmpeg may have moved.
        if (this.#tools?.ffmpeg.kind === 'found') ffmpegPath = this.#tools.ffmpeg.path;
        return startRun({ ffmpegPath, config, onFrame });
      },
      onFrame: (frame, measuredAtMs) => {
        this.#sound = stepSound(this.#sound, frame, measuredAtMs, loudnessTargetLufs());
        onMeasured();
      },
    });
  }
}
