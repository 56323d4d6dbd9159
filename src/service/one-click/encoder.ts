import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Source } from '../../shared/model/live.ts';
import { FlvReader } from '../flv/flv-file.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { RecentFailures } from '../lib/recent-failures.ts';
import { isKeyframe, type MediaUnit } from '../media/media-unit.ts';
import { type FfmpegEnd, type FfmpegProcess, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { FfmpegProgress } from '../media-tools/ffmpeg-progress.ts';
import type { Clock } from '../ports.ts';
import { parseMetadata, type StreamMetadata } from '../rtmp/stream-metadata.ts';
import { CaptureStamper } from './capture-stamper.ts';
import { type ExplainedEnd, explainFfmpegEnd } from './ffmpeg-failure.ts';

/** An ffmpeg that ends this often within a minute is given up. */
const maxRestartsPerMinute = 5;
/** Hardware that has made no picture after this long hangs. */
const defaultHardwareStartMs = 10_000;

/** How an encoder ended without being asked to; `stderr` is ffmpeg's last words, oldest first. */
export interface EncoderFailure extends ExplainedEnd {
  stderr: string[];
}

export interface EncoderOptions {
  ffmpegPath: string;
  encoder: EncoderName;
  /** How long hardware may take for its first picture, 10 s by default. */
  hardwareStartMs?: number;
  /** ffmpeg's argv with an encoder. */
  args: (encoder: EncoderName) => readonly string[];
  source: Source;
  /** The args have ffmpeg tell of each picture as it is captured. */
  marksCapture: boolean;
  clock: Clock;
  onUnit: (unit: MediaUnit) => void;
  /** What ffmpeg says of the stream before it sends it. */
  onMetadata: (metadata: StreamMetadata) => void;
  onProgress: (progress: FfmpegProgress) => void;
  /** An encoder of graphics hardware failed; x264 goes on in its stead. */
  onFallback: (failed: EncoderName) => void;
  /** ffmpeg crashed and was started again. */
  onRestart: (failure: EncoderFailure) => void;
  /** ffmpeg ended for good; nothing follows. */
  onFailed: (failure: EncoderFailure) => void;
}

/**
 * Keeps one encode running: an ffmpeg that crashes in mid-broadcast is replaced, one whose source is at fault is not. Hardware
 * that fails, at the start or in mid-broadcast, is not tried again.
 */
export class Encoder {
  readonly #options: EncoderOptions;
  #encoder: EncoderName;
  #process: FfmpegProcess;
  #stopping = false;
  readonly #failures = new RecentFailures(60_000);

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#encoder = options.encoder;
    this.#process = this.#start();
  }

  /** Ends ffmpeg within 1.5 s; no callback follows. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#process.stop();
  }

  #start(): FfmpegProcess {
    const { ffmpegPath, args, source, marksCapture, clock, onUnit, onProgress } = this.#options;
    const stamper = marksCapture ? new CaptureStamper({ clock, onUnit }) : undefined;
    const file = new FlvReader();
    const units = new UnitReader();
    let hadMedia = false;
    const take = (tag: FlvTag) => {
      hadMedia = true;
      const metadata = tag.kind === 'script' ? parseMetadata(tag.body) : undefined;
      if (metadata) this.#options.onMetadata(metadata);
      const unit = units.readUnit(tag);
      if (unit === undefined) return;
      if (isKeyframe(unit)) clearTimeout(hanging);
      if (stamper) stamper.push(unit);
      else onUnit(unit);
    };
    let unreadable: EncodeFailure | undefined;
    const process = startFfmpeg(ffmpegPath, args(this.#encoder), {
      onProgress: (progress) => {
        if (!this.#stopping) onProgress(progress);
      },
      onOutput: [
        (bytes) => {
          if (this.#stopping || unreadable !== undefined) return;
          try {
            for (const tag of file.push(bytes)) take(tag);
          } catch (error) {
            unreadable = { code: 'unreadable', fault: error instanceof Error ? error.message : String(error) };
            runHarmlessly(() => process.stop(), 'ending an ffmpeg that cannot be read');
          }
        },
        ...(stamper ? [(bytes: Buffer) => this.#stopping || stamper.mark(bytes)] : []),
      ],
    });
    const { hardwareStartMs = defaultHardwareStartMs } = this.#options;
    const hanging = this.#encoder === 'libx264' ? undefined : setTimeout(() => process.kill(), hardwareStartMs);
    const onEnd = (end: FfmpegEnd) => {
      clearTimeout(hanging);
      if (this.#stopping) return;
      // What the source is to blame for fails with x264 too, and is told then.
      if (this.#encoder !== 'libx264' && end.exitCode !== 0) {
        this.#fallBack();
        return;
      }
      const explained =
        unreadable === undefined ? explainFfmpegEnd(end, end.stderr, source) : { failure: unreadable, sourceAtFault: false };
      this.#ended({ ...explained, stderr: end.stderr }, hadMedia);
    };
    process.ended.then(onEnd).catch((error: unknown) => reportFault(error, 'following up the end of an ffmpeg'));
    return process;
  }

  #fallBack(): void {
    const failed = this.#encoder;
    this.#encoder = 'libx264';
    this.#options.onFallback(failed);
    this.#process = this.#start();
  }

  #ended(failure: EncoderFailure, hadMedia: boolean): void {
    const failures = this.#failures.add(this.#options.clock.monotonicMs());
    if (!hadMedia || failure.sourceAtFault || failures > maxRestartsPerMinute) {
      this.#options.onFailed(failure);
      return;
    }
    this.#options.onRestart(failure);
    this.#process = this.#start();
  }
}
