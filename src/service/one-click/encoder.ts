import { keepRunning } from '../../shared/keep-running.ts';
import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Feed } from '../capture/feed.ts';
import { reportFault } from '../lib/faults.ts';
import { EncoderFallback } from '../transcode/encoder-fallback.ts';
import { type EncodeEnd, type EncodeRunOptions, runEncode } from './encode-run.ts';
import { explainEncoderEnd } from './encoder-end.ts';

/** An ffmpeg that fails more often than this within a minute is given up. */
const maxRestartsPerMinute = 5;
/** Hardware that has made no frame after this long hangs. */
const defaultHardwareStartMs = 10_000;

/** How an encoder ended on its own; `stderr` holds ffmpeg's last lines, oldest first. */
export interface EncoderFailure {
  failure: EncodeFailure;
  stderr: string[];
}

export interface EncoderOptions extends Omit<EncodeRunOptions, 'args' | 'firstFrame' | 'feed' | 'firstKeyframeWithinMs'> {
  encoder: EncoderName;
  /** How long hardware may take for its first keyframe, 10 s by default. */
  hardwareStartMs?: number;
  /** ffmpeg's argv for an encoder. */
  args: (encoder: EncoderName) => readonly string[];
  feed: EncodeRunOptions['feed'] & Pick<Feed, 'nextKeyframe'>;
  /** A hardware encoder failed; x264 takes over. */
  onFallback: (failed: EncoderName) => void;
  /** ffmpeg crashed or froze, and is started again. */
  onRestart: (failure: EncoderFailure) => void;
  /** ffmpeg ended for good; nothing follows. */
  onFailed: (failure: EncoderFailure) => void;
}

/**
 * Keeps one encode running. An ffmpeg that crashes or freezes in mid-broadcast is replaced. Hardware that fails,
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
    const { args, feed, hardwareStartMs = defaultHardwareStartMs } = this.#options;
    const { encoder, isHardware } = this.#fallback;
    const firstKeyframeWithinMs = isHardware ? hardwareStartMs : undefined;
    // Its keyframes are where those of the one before were: segments begin at them.
    const run = { args: args(encoder), firstFrame: feed.nextKeyframe, firstKeyframeWithinMs };
    return runEncode({ ...this.#options, ...run }, signal);
  }

  /** Whether another ffmpeg follows this end, and says which. */
  #shouldContinue(end: EncodeEnd): boolean {
    const { clock, onFallback, onRestart, onFailed } = this.#options;
    const { encoder } = this.#fallback;
    if (end.exitCode !== 0 && this.#fallback.replaceHardware()) {
      onFallback(encoder);
      return true;
    }
    const { endedFor, stderr, hadMedia } = end;
    const failure = { failure: endedFor ?? explainEncoderEnd(end), stderr };
    const failures = this.#fallback.countFailure(clock.monotonicMs());
    if (!hadMedia || failures > maxRestartsPerMinute) {
      onFailed(failure);
      return false;
    }
    onRestart(failure);
    return true;
  }
}
