import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Profile } from '../../shared/model/profile.ts';
import { FlvReader } from '../flv/flv-file.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { sentenceOf } from '../lib/read-error.ts';
import { decodeMs, type MediaUnit, type PlacedUnit } from '../media/media-unit.ts';
import { stampRoundingMs } from '../media/rounding.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import { explainExit, type FfmpegEnd, type FfmpegProcess, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import { EncodedAudio } from './encoded-audio.ts';
import type { RunFailure } from './ladder-events.ts';
import type { Processors } from './processors.ts';
import { RenditionOutput } from './rendition-output.ts';
import { RunInput } from './run-input.ts';
import { transcodeArgs } from './transcode-args.ts';

/** How a run ended. `failed`: by itself, before it had output everything that it was fed. */
export type RunEnd = { kind: 'drained' } | { kind: 'killed' } | ({ kind: 'failed' } & RunFailure);

/** One rendition that a run makes. */
export interface RunOutput {
  profile: Profile;
  onUnit: (unit: PlacedUnit) => void;
  /** Media is missing after the units so far: up to the next keyframe, or to the end. */
  onBreak: () => void;
}

export interface TranscodeRunOptions {
  ffmpegPath: string;
  encoder: EncoderName;
  outputs: readonly RunOutput[];
  timeline: number;
  /** When the first keyframe is shown, on the timeline. */
  startMs: number;
  video: VideoConfig;
  /** The configuration of audio to encode; undefined where audio is passed on as it is. */
  encodedAudio: AudioConfig | undefined;
  sourceFps: number | undefined;
  maxQueueBytes: number;
  /** This many frames were left out up to a keyframe, because ffmpeg did not take them in time. */
  onOverflow: (droppedFrames: number) => void;
  onEnd: (end: RunEnd) => void;
}

/**
 * The first keyframe's time on ffmpeg's timeline: early enough that its counters don't overflow, late enough for frames that are decoded
 * before it, and a whole second, which is on the grid of every whole frame rate.
 */
const originMs = 10_000;
/** With less media than this, the measurement would be of ffmpeg's start rather than of encoding. */
const minMeasuredMs = 500;

/** One ffmpeg that makes every rendition of one timeline, from a keyframe on. Single use. */
export class TranscodeRun {
  readonly startMs: number;
  readonly #options: TranscodeRunOptions;
  readonly #process: FfmpegProcess;
  readonly #input: RunInput;
  readonly #outputs: readonly RenditionOutput[];
  readonly #audio: EncodedAudio;
  readonly #ended: Promise<FfmpegEnd>;
  #state: 'running' | 'ending' | 'killed' | 'ended' = 'running';
  #fault: EncodeFailure | undefined;

  constructor(options: TranscodeRunOptions) {
    this.#options = options;
    this.startMs = options.startMs;
    const { timeline, startMs, encodedAudio, maxQueueBytes } = options;
    const profiles = options.outputs.map(({ profile }) => profile);
    const fps = profiles[0]?.fps ?? 0;
    this.#outputs = options.outputs.map(
      ({ onUnit, onBreak }) =>
        new RenditionOutput({
          timeline,
          startMs,
          // On a grid of fixed ticks a keyframe is up to half a tick away.
          keyframeToleranceMs: (fps === 0 ? 0 : 500 / fps) + stampRoundingMs,
          onUnit,
          onBreak,
        }),
    );
    this.#audio = new EncodedAudio({ timeline, startMs, originMs });
    const args = transcodeArgs({
      encoder: options.encoder,
      profiles,
      source: options.video,
      sourceFps: options.sourceFps,
      encodeAudio: encodedAudio !== undefined,
    });
    const listeners = this.#outputs.map((output) => this.#readUnits((unit) => this.#takeVideo(output, unit)));
    if (encodedAudio !== undefined) listeners.push(this.#readUnits((unit) => this.#takeAudio(unit)));
    this.#process = startFfmpeg(options.ffmpegPath, args, { onOutput: listeners, onProgress: () => {} });
    this.#ended = this.#process.ended.then((end) => this.#finish(end));
    this.#input = new RunInput({
      pipe: this.#process.input,
      timeline,
      startMs,
      originMs,
      video: options.video,
      fps: options.sourceFps,
      audio: encodedAudio,
      maxQueueBytes,
      onSkipped: (frames, keyframeMs) => {
        for (const output of this.#outputs) output.expectBreak(keyframeMs);
        options.onOverflow(frames);
      },
    });
  }

  /** Whether its ffmpeg runs or ran; else it couldn't be started, and {@link TranscodeRunOptions.onEnd} follows. */
  get hasStarted(): boolean {
    return this.#process.pid !== undefined;
  }

  /** When the newest frame is shown, fed or left out. */
  get lastFedMs(): number {
    return this.#input.lastFedMs;
  }

  /** When the newest frame that must be out by now is shown. */
  get dueMs(): number {
    return this.#input.dueMs;
  }

  /** When the newest frame that all outputs have reached is shown; undefined before the first. */
  get lastOutMs(): number | undefined {
    let lastMs: number | undefined;
    for (const { videoOutMs } of this.#outputs) {
      if (videoOutMs === undefined) return undefined;
      lastMs = Math.min(lastMs ?? videoOutMs, videoOutMs);
    }
    return lastMs;
  }

  /** CPU seconds that ffmpeg has used for each second of media so far; undefined where that is unknown. */
  measureCost(processors: Pick<Processors, 'readCpuSeconds'>): number | undefined {
    const { pid } = this.#process;
    const cpuSeconds = pid === undefined ? undefined : processors.readCpuSeconds(pid);
    const mediaMs = (this.lastOutMs ?? this.startMs) - this.startMs;
    return cpuSeconds === undefined || mediaMs < minMeasuredMs ? undefined : (cpuSeconds * 1000) / mediaMs;
  }

  /** Bytes that wait for ffmpeg to take them. */
  get queuedBytes(): number {
    return this.#input.queuedBytes;
  }

  /** Takes a frame of video, audio, or the configuration of audio; that of video is the constructor's. */
  push(unit: PlacedUnit): void {
    if (this.#state !== 'running') return;
    if (unit.type !== 'video') {
      if (this.#options.encodedAudio !== undefined) this.#feedAudio(unit);
      else for (const output of this.#outputs) output.pushAudio(unit);
    } else if (this.#input.pushVideo(unit)) {
      for (const output of this.#outputs) output.expectVideo(unit.pts, unit.keyframe);
    }
  }

  /** Ends the input; resolves when all output has come, or when ffmpeg was killed after `withinMs`. */
  async end(withinMs: number): Promise<void> {
    if (this.#state === 'running') {
      this.#state = 'ending';
      this.#input.end();
    }
    const late = setTimeout(() => this.kill(), withinMs);
    await this.#ended;
    clearTimeout(late);
  }

  /** Ends ffmpeg at once; its remaining output is lost. */
  kill(): void {
    if (this.#state === 'ended') return;
    this.#state = 'killed';
    this.#process.kill();
  }

  #feedAudio(unit: PlacedUnit): void {
    if (unit.type === 'audio') this.#audio.expect(decodeMs(unit));
    this.#input.pushAudio(unit);
  }

  #readUnits(onUnit: (unit: MediaUnit) => void): (bytes: Buffer) => void {
    const file = new FlvReader();
    const units = new UnitReader();
    return (bytes) => {
      if (this.#state === 'killed') return;
      try {
        for (const tag of file.push(bytes)) {
          const unit = units.readUnit(tag);
          if (unit) onUnit(unit);
        }
      } catch (error) {
        this.#fault = { code: 'unreadable', fault: sentenceOf(error) };
        this.#process.kill();
      }
    };
  }

  #takeVideo(output: RenditionOutput, unit: MediaUnit): void {
    if (unit.type === 'video') output.pushVideo(unit, decodeMs(unit) - originMs + this.startMs);
    else if (unit.type === 'config') output.announceVideo(unit);
  }

  #takeAudio(unit: MediaUnit): void {
    if (unit.type === 'video') return;
    const placed = this.#audio.place(unit);
    if (placed) for (const output of this.#outputs) output.pushAudio(placed);
  }

  #finish(end: FfmpegEnd): FfmpegEnd {
    const { outputs, onEnd } = this.#options;
    const tell = (callback: () => void) => runHarmlessly(callback, 'handling the end of an ffmpeg');
    const state = this.#state;
    this.#state = 'ended';
    if (state === 'ending' && end.exitCode === 0 && this.#fault === undefined) {
      for (const output of this.#outputs) tell(() => output.finish());
      tell(() => onEnd({ kind: 'drained' }));
      return end;
    }
    for (const { onBreak } of outputs) tell(onBreak);
    if (state === 'killed') tell(() => onEnd({ kind: 'killed' }));
    else tell(() => onEnd({ kind: 'failed', failure: this.#fault ?? explainExit(end), stderr: end.stderr }));
    return end;
  }
}
