import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Profile } from '../../shared/model/profile.ts';
import { FlvReader, formatFlvHeader, formatFlvTag } from '../flv/flv-file.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { decodeMs, type MediaUnit, type PlacedUnit, placedTimescale, type VideoUnit } from '../media/media-unit.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import { explainExit, type FfmpegEnd, type FfmpegProcess, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { Processors } from './processors.ts';
import { RenditionOutput } from './rendition-output.ts';
import { transcodeArgs } from './transcode-args.ts';

/** How a run ended; `failed` is by itself, with what it was fed not all out. `stderr` is ffmpeg's last words. */
export type RunEnd =
  | { kind: 'drained' }
  | { kind: 'killed' }
  | { kind: 'failed'; failure: EncodeFailure; stderr: readonly string[] };

export interface TranscodeRunOptions {
  ffmpegPath: string;
  encoder: EncoderName;
  profiles: readonly Profile[];
  timeline: number;
  /** When the first keyframe is shown, on the timeline. */
  startMs: number;
  video: VideoConfig;
  /** The configuration of sound that is to be encoded; absent where sound is passed on. */
  encodedAudio: AudioConfig | undefined;
  sourceFps: number | undefined;
  maxQueueBytes: number;
  onUnit: (outputIndex: number, unit: PlacedUnit) => void;
  /** Media of an output is missing after the units so far: up to its next keyframe, or to its end. */
  onBreak: (outputIndex: number) => void;
  /** So many frames were left out up to a keyframe, since ffmpeg did not take them in time. */
  onOverflow: (droppedFrames: number) => void;
  onEnd: (end: RunEnd) => void;
}

/**
 * Where the first keyframe is put on ffmpeg's timeline: early enough for its counters to last, late enough for what is decoded
 * before it; a whole second, so that it lies on the grid of every whole frame rate.
 */
const originMs = 10_000;
/** Less media than this tells what starting costs, not what encoding does. */
const minMeasuredMs = 500;

/** One ffmpeg that makes every rendition of one timeline, from a keyframe on. Single use. */
export class TranscodeRun {
  readonly startMs: number;
  readonly #options: TranscodeRunOptions;
  readonly #process: FfmpegProcess;
  readonly #outputs: readonly RenditionOutput[];
  readonly #ended: Promise<FfmpegEnd>;
  #state: 'running' | 'ending' | 'killed' | 'ended' = 'running';
  #fault: EncodeFailure | undefined;
  #lastFedMs: number;
  #dueMs: number;
  #lastDecodeMs = 0;
  #dropping = 0;

  constructor(options: TranscodeRunOptions) {
    this.#options = options;
    this.startMs = options.startMs;
    this.#lastFedMs = options.startMs;
    this.#dueMs = options.startMs;
    const { profiles, timeline, encodedAudio, onUnit, onBreak } = options;
    const fps = profiles[0]?.fps ?? 0;
    this.#outputs = profiles.map(
      (_, index) =>
        new RenditionOutput({
          timeline,
          startMs: options.startMs,
          // On a grid of fixed ticks a keyframe is up to half a tick away; FLV rounds both to milliseconds.
          keyframeToleranceMs: fps === 0 ? 2 : 500 / fps + 2,
          onUnit: (unit) => onUnit(index, unit),
          onBreak: () => onBreak(index),
        }),
    );
    const { width, height, sampleAspect } = options.video;
    const args = transcodeArgs({
      encoder: options.encoder,
      profiles,
      source: { width, height, sampleAspect },
      sourceFps: options.sourceFps,
      encodeAudio: encodedAudio !== undefined,
    });
    const listeners = this.#outputs.map((output) => this.#readUnits((unit) => this.#takeVideo(output, unit)));
    if (encodedAudio !== undefined) listeners.push(this.#readUnits((unit) => this.#takeAudio(unit)));
    this.#process = startFfmpeg(options.ffmpegPath, args, { onOutput: listeners, onProgress: () => {} });
    this.#ended = this.#process.ended.then((end) => this.#finish(end));
    this.#process.input.write(formatFlvHeader({ hasAudio: encodedAudio !== undefined, hasVideo: true }));
    this.#announce(options.video);
    if (encodedAudio !== undefined) this.#announce(encodedAudio);
  }

  /** When the newest picture that was fed, or left out for want of room, is shown. */
  get lastFedMs(): number {
    return this.#lastFedMs;
  }

  /**
   * When the newest picture is shown that has to have come out: an encoder that is not told the frame rate holds each back until
   * the next has come, and that may take as long as a picture stands still.
   */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** When the newest picture that has come out of every output is shown; undefined before the first. */
  get lastOutMs(): number | undefined {
    let lastMs: number | undefined;
    for (const { videoOutMs } of this.#outputs) {
      if (videoOutMs === undefined) return undefined;
      lastMs = Math.min(lastMs ?? videoOutMs, videoOutMs);
    }
    return lastMs;
  }

  /** CPU seconds that ffmpeg has taken for each second of media so far; undefined where that cannot be told. */
  measureCost(processors: Pick<Processors, 'readCpuSeconds'>): number | undefined {
    const { pid } = this.#process;
    const cpuSeconds = pid === undefined ? undefined : processors.readCpuSeconds(pid);
    const mediaMs = (this.lastOutMs ?? this.startMs) - this.startMs;
    return cpuSeconds === undefined || mediaMs < minMeasuredMs ? undefined : (cpuSeconds * 1000) / mediaMs;
  }

  /** Bytes that wait for ffmpeg to take them. */
  get queuedBytes(): number {
    return this.#process.input.writableLength;
  }

  /** Takes a picture, or sound and its configuration; that of pictures is the constructor's. */
  push(unit: PlacedUnit): void {
    if (this.#state !== 'running') return;
    if (unit.type === 'video') this.#pushVideo(unit);
    else if (this.#options.encodedAudio !== undefined) this.#write(unit);
    else for (const output of this.#outputs) output.pushAudio(unit);
  }

  /** Ends the input and resolves when all of it has come out, or when ffmpeg was killed since it took longer than this. */
  async end(withinMs: number): Promise<void> {
    if (this.#state === 'running') {
      this.#state = 'ending';
      this.#tellDropped(Number.POSITIVE_INFINITY);
      this.#process.input.end();
    }
    const late = setTimeout(() => this.kill(), withinMs);
    await this.#ended;
    clearTimeout(late);
  }

  /** Ends it at once: what has not come out is lost. */
  kill(): void {
    if (this.#state === 'ended') return;
    this.#state = 'killed';
    this.#process.kill();
  }

  #pushVideo(unit: PlacedUnit & VideoUnit): void {
    const { keyframe, data, dts, pts } = unit;
    if (pts > this.#lastFedMs) {
      this.#dueMs = this.#lastFedMs;
      this.#lastFedMs = pts;
    }
    if (this.#isFull(keyframe)) {
      this.#dropping += 1;
      return;
    }
    this.#tellDropped(pts);
    for (const output of this.#outputs) output.expectVideo(pts, keyframe);
    // Demuxers take decode times that go back for a jump; the times of showing stay.
    const decodedMs = Math.max(dts, this.#lastDecodeMs);
    this.#lastDecodeMs = decodedMs;
    const { video } = this.#options;
    const picture = (keyframe && video.format.markKeyframe?.(data, video)) || data;
    this.#write({ ...unit, dts: decodedMs, data: picture });
  }

  /** Whether a frame must be left out: once one is, so are all up to a keyframe that finds room again. */
  #isFull(keyframe: boolean): boolean {
    const { maxQueueBytes } = this.#options;
    return this.#dropping > 0 ? !keyframe || this.queuedBytes > maxQueueBytes / 2 : this.queuedBytes > maxQueueBytes;
  }

  /** `keyframeMs`: when the keyframe after those that were left out is shown. */
  #tellDropped(keyframeMs: number): void {
    if (this.#dropping === 0) return;
    for (const output of this.#outputs) output.expectBreak(keyframeMs);
    this.#options.onOverflow(this.#dropping);
    this.#dropping = 0;
  }

  #announce(config: VideoConfig | AudioConfig): void {
    const { timeline } = this.#options;
    this.#write({ type: 'config', timeline, timescale: placedTimescale, dts: this.startMs, config });
  }

  #write(unit: PlacedUnit): void {
    const { input } = this.#process;
    if (input.writable) input.write(formatFlvTag(formatUnitTag(unit, originMs - this.startMs)));
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
        this.#fault = { code: 'unreadable', fault: error instanceof Error ? error.message : String(error) };
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
    const { timeline } = this.#options;
    // Its configuration bears no time.
    const dts = Math.max(decodeMs(unit) - originMs, 0) + this.startMs;
    for (const output of this.#outputs) output.pushAudio({ ...unit, timeline, timescale: placedTimescale, dts });
  }

  #finish(end: FfmpegEnd): FfmpegEnd {
    const { onBreak, onEnd } = this.#options;
    const tell = (callback: () => void) => runHarmlessly(callback, 'telling of the end of an ffmpeg');
    const state = this.#state;
    this.#state = 'ended';
    if (state === 'ending' && end.exitCode === 0 && this.#fault === undefined) {
      for (const output of this.#outputs) tell(() => output.finish());
      tell(() => onEnd({ kind: 'drained' }));
      return end;
    }
    for (const index of this.#outputs.keys()) tell(() => onBreak(index));
    if (state === 'killed') tell(() => onEnd({ kind: 'killed' }));
    else tell(() => onEnd({ kind: 'failed', failure: this.#fault ?? explainExit(end), stderr: end.stderr }));
    return end;
  }
}
