import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Profile } from '../../shared/model/profile.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { FlvReader, formatFlvHeader, formatFlvTag } from '../media/flv.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { formatVideoFrame, formatVideoHeader, parseVideoTag } from '../media/flv-video.ts';
import type { H264Config } from '../media/h264.ts';
import type { TimedTag } from '../media/timed-tag.ts';
import { explainExit, type FfmpegEnd, type FfmpegProcess, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { Processors } from './processors.ts';
import { markKeyframe } from './recovery-point.ts';
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
  video: H264Config;
  /** The body of an audio sequence header whose sound is to be encoded; absent where sound is passed on. */
  encodedAudio: Buffer | undefined;
  sourceFps: number | undefined;
  maxQueueBytes: number;
  onTag: (outputIndex: number, tag: TimedTag) => void;
  /** Media of an output is missing after the tags so far: up to its next keyframe, or to its end. */
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
    const { profiles, timeline, encodedAudio, onTag, onBreak } = options;
    const fps = profiles[0]?.fps ?? 0;
    this.#outputs = profiles.map(
      (_, index) =>
        new RenditionOutput({
          timeline,
          startMs: options.startMs,
          // On a grid of fixed ticks a keyframe is up to half a tick away; FLV rounds both to milliseconds.
          keyframeToleranceMs: fps === 0 ? 2 : 500 / fps + 2,
          onTag: (tag) => onTag(index, tag),
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
    const listeners = this.#outputs.map((output) => this.#readTags((tag) => this.#takeVideo(output, tag)));
    if (encodedAudio !== undefined) listeners.push(this.#readTags((tag) => this.#takeAudio(tag)));
    this.#process = startFfmpeg(options.ffmpegPath, args, { onOutput: listeners, onProgress: () => {} });
    this.#ended = this.#process.ended.then((end) => this.#finish(end));
    this.#process.input.write(formatFlvHeader({ hasAudio: encodedAudio !== undefined, hasVideo: true }));
    this.#write({ kind: 'video', timestampMs: originMs, body: formatVideoHeader(options.video) });
    if (encodedAudio !== undefined) this.#write({ kind: 'audio', timestampMs: originMs, body: encodedAudio });
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

  /** Takes a picture or sound; sequence headers of video are the constructor's. */
  push(tag: TimedTag): void {
    if (this.#state !== 'running') return;
    if (tag.kind === 'video') this.#pushVideo(tag);
    else if (this.#options.encodedAudio !== undefined) this.#write(this.#place(tag));
    else for (const output of this.#outputs) output.pushAudio(tag);
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

  #pushVideo(tag: TimedTag): void {
    const video = parseVideoTag(tag.body);
    if (video.kind !== 'frame') return;
    const { keyframe, compositionTimeMs, data } = video;
    const shownMs = tag.timeMs + compositionTimeMs;
    if (shownMs > this.#lastFedMs) {
      this.#dueMs = this.#lastFedMs;
      this.#lastFedMs = shownMs;
    }
    if (this.#isFull(keyframe)) {
      this.#dropping += 1;
      return;
    }
    this.#tellDropped(shownMs);
    for (const output of this.#outputs) output.expectVideo(shownMs, keyframe);
    // Demuxers take decode times that go back for a jump; the times of showing stay.
    const decodeMs = Math.max(tag.timeMs, this.#lastDecodeMs);
    this.#lastDecodeMs = decodeMs;
    const picture = keyframe ? markKeyframe(data, this.#options.video.nalLengthBytes) : data;
    const body = formatVideoFrame({ keyframe, compositionTimeMs: shownMs - decodeMs, data: picture });
    this.#write(this.#place({ ...tag, timeMs: decodeMs, body }));
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

  #place({ kind, timeMs, body }: TimedTag): FlvTag {
    return { kind, timestampMs: Math.max(timeMs - this.startMs + originMs, 0), body };
  }

  #write(tag: FlvTag): void {
    if (this.#process.input.writable) this.#process.input.write(formatFlvTag(tag));
  }

  #readTags(onTag: (tag: FlvTag) => void): (bytes: Buffer) => void {
    const reader = new FlvReader();
    return (bytes) => {
      if (this.#state === 'killed') return;
      try {
        for (const tag of reader.push(bytes)) onTag(tag);
      } catch (error) {
        this.#fault = { code: 'unreadable', fault: error instanceof Error ? error.message : String(error) };
        this.#process.kill();
      }
    };
  }

  #takeVideo(output: RenditionOutput, { kind, timestampMs, body }: FlvTag): void {
    if (kind === 'video') output.pushVideo(timestampMs - originMs + this.startMs, body);
  }

  #takeAudio({ kind, timestampMs, body }: FlvTag): void {
    if (kind !== 'audio') return;
    // Its sequence header bears no time.
    const timeMs = Math.max(timestampMs - originMs, 0) + this.startMs;
    for (const output of this.#outputs) output.pushAudio({ kind, timeline: this.#options.timeline, timeMs, body });
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
