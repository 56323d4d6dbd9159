import { keepRunning } from '../../shared/keep-running.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Source } from '../../shared/model/live.ts';
import { reportFault } from '../lib/faults.ts';
import { EncoderFallback } from '../transcode/encoder-fallback.ts';
import { type EncodeEnd, type EncodeRunOptions, runEncode } from './encode-run.ts';
import { type ExplainedEnd, explainFfmpegEnd } from './ffmpeg-failure.ts';

/** An ffmpeg that fails more often than this within a minute is given up. */
const maxRestartsPerMinute = 5;
/** Hardware that has made no frame after this long hangs. */
const defaultHardwareStartMs = 10_000;

/** How an encoder ended on its own; `stderr` holds ffmpeg's last lines, oldest first. */
export interface EncoderFailure extends ExplainedEnd {
  stderr: string[];
}

export interface EncoderOptions extends Omit<EncodeRunOptions, 'args' | 'firstKeyframeWithinMs'> {
  encoder: EncoderName;
  /** How long hardware may take for its first keyframe, 10 s by default. */
  hardwareStartMs?: number;
  /** ffmpeg's argv for an encoder. */
  args: (encoder: EncoderName) => readonly string[];
  source: Source;
  /** A hardware encoder failed; x264 takes over. */
  onFallback: (failed: EncoderName) => void;
  /** ffmpeg crashed and is started again. */
  onRestart: (failure: EncoderFailure) => void;
  /** ffmpeg ended for good; nothing follows. */
  onFailed: (failure: EncoderFailure) => void;
}

/**
 * Keeps one encode running. An ffmpeg that crashes in mid-broadcast is replaced, unless its source is at fault. Hardware that fails,
 * at the start or in mid-broadcast, is not tried again.
 */
export class Encoder {
  readonly #options: EncoderOptions;
  readonly #fallback: EncoderFallback;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#fallback = new EncoderFallback(options.encoder, 60_000);
    this.#running = keepRunning((signal) => this.#encodeOnce(signal), {
      signal: this.#abort.signal,
      nextAfterMs: (end) => (this.#shouldContinue(end) ? 0 : undefined),
    }).catch((error: unknown) => reportFault(error, 'an encoder'));
  }

  /** Ends ffmpeg within 1.5 s; no callback follows. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  #encodeOnce(signal: AbortSignal): Promise<EncodeEnd> {
    const { args, hardwareStartMs = defaultHardwareStartMs } = this.#options;
    const { encoder, isHardware } = this.#fallback;
    const firstKeyframeWithinMs = isHardware ? hardwareStartMs : undefined;
    return runEncode({ ...this.#options, args: args(encoder), firstKeyframeWithinMs }, signal);
  }

  /** Whether another ffmpeg follows this end, and says which. */
  #shouldContinue(end: EncodeEnd): boolean {
    const { source, clock, onFallback, onRestart, onFailed } = this.#options;
    const { encoder } = this.#fallback;
    // If the source is at fault, x264 fails too, and says so.
    if (end.exitCode !== 0 && this.#fallback.replaceHardware()) {
      onFallback(encoder);
      return true;
    }
    const { unreadable, stderr, hadMedia } = end;
    const explained = unreadable ? { failure: unreadable, sourceAtFault: false } : explainFfmpegEnd(end, stderr, source);
    const failure = { ...explained, stderr };
    const failures = this.#fallback.countFailure(clock.monotonicMs());
    if (!hadMedia || failure.sourceAtFault || failures > maxRestartsPerMinute) {
      onFailed(failure);
      return false;
    }
    onRestart(failure);
    return true;
  }
}
