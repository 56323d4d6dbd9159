import { keepRunning } from '../../shared/keep-running.ts';
import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { reportFault } from '../lib/faults.ts';
import { retryPauseMs } from '../lib/retry-pause.ts';
import { EncoderFallback } from '../transcode/encoder-fallback.ts';
import { type EncodeEnd, type EncodeRunOptions, runEncode } from './encode-run.ts';
import { explainEncoderEnd } from './encoder-end.ts';

/** An ffmpeg that fails more often than this within a minute is restarted after a pause, even if it had output. */
const maxRestartsPerMinute = 5;
/**
 * How long an encoder may take for its first keyframe or its first audio, in milliseconds. x264 can take over from
 * hardware; a computer on which x264 takes longer can't encode at all.
 */
const defaultStartLimits = { hardwareMs: 10_000, softwareMs: 30_000 };

/** How an encoder ended on its own; `stderr` holds ffmpeg's last lines, oldest first. */
export interface EncoderFailure {
  failure: EncodeFailure;
  stderr: string[];
}

export interface EncoderOptions extends Omit<EncodeRunOptions, 'args' | 'startWithinMs'> {
  encoder: EncoderName;
  /** How long it may take for its first media: 10 s on hardware and 30 s otherwise by default. */
  startLimits?: { hardwareMs: number; softwareMs: number };
  /** ffmpeg's argv for an encoder. */
  args: (encoder: EncoderName) => readonly string[];
  /** A hardware encoder failed; x264 takes over. */
  onFallback: (failed: EncoderName) => void;
  /** ffmpeg crashed or froze, and is started again in `waitMs`. */
  onRestart: (failure: EncoderFailure, waitMs: number) => void;
  /** ffmpeg has never worked. Nothing follows. */
  onFailed: (failure: EncoderFailure) => void;
}

/**
 * Keeps one encode running until it is stopped. An ffmpeg that crashes or freezes in mid-broadcast is replaced: at once if it had output,
 * after a pause if it had none or keeps crashing. Hardware that fails, at the start or in mid-broadcast, is not tried again.
 */
export class Encoder {
  readonly #options: EncoderOptions;
  readonly #fallback: EncoderFallback;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;
  /** One of its ffmpegs has had output. */
  #hasWorked = false;

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#fallback = new EncoderFallback(options.encoder, 60_000);
    this.#running = keepRunning((signal) => this.#encodeOnce(signal), {
      signal: this.#abort.signal,
      nextAfterMs: (end) => this.#planNext(end),
    }).catch((error: unknown) => reportFault(error, 'an encoder'));
  }

  /** Ends ffmpeg within 1.5 s; no callback follows. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  #encodeOnce(signal: AbortSignal): Promise<EncodeEnd> {
    const { args, startLimits = defaultStartLimits } = this.#options;
    const { encoder, isHardware } = this.#fallback;
    const startWithinMs = isHardware ? startLimits.hardwareMs : startLimits.softwareMs;
    return runEncode({ ...this.#options, args: args(encoder), startWithinMs }, signal);
  }

  /** Decides and reports what follows an ffmpeg: the milliseconds until the next one, or undefined for none. */
  #planNext(end: EncodeEnd): number | undefined {
    const { clock, onFallback, onRestart, onFailed } = this.#options;
    const { encoder } = this.#fallback;
    const { endedFor, stderr, hadMedia } = end;
    this.#hasWorked ||= hadMedia;
    const failure = { failure: endedFor ?? explainEncoderEnd(end), stderr };
    // Without an ffmpeg no hardware was asked.
    if (failure.failure.code !== 'not-started' && this.#fallback.replaceHardware()) {
      onFallback(encoder);
      return 0;
    }
    const failures = this.#fallback.countFailure(clock.monotonicMs());
    if (!this.#hasWorked) {
      onFailed(failure);
      return undefined;
    }
    const waitMs = hadMedia && failures <= maxRestartsPerMinute ? 0 : retryPauseMs(failures);
    onRestart(failure, waitMs);
    return waitMs;
  }
}
