import { keepRunning } from '../../shared/keep-running.ts';
import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import { type SoundFrame, soundFrameMs } from '../health/sound-frame.ts';
import { reportFault } from '../lib/faults.ts';
import { retryPauseMs } from '../lib/retry-pause.ts';
import type { Clock } from '../ports.ts';

/** A measurement older than this says nothing about now. */
const freshMs = 2_000;
/** An ffmpeg that is this far behind its input hangs, or measures the past: it is replaced by one that joins the present. */
const maxBehindMs = 10_000;
/** The peaks of this many frames are shown together, so that a page that reads only some values misses none. */
const peakFrames = 3;
/** An ffmpeg that measured this many frames worked: its end doesn't mean that the next one will fail. */
const provenFrames = 300;
/** After this many runs in a row that measured nothing, metering counts as failed. */
const failedRuns = 3;

/** One run of an ffmpeg that measures. */
interface RunningMeter {
  /** Resolves, never rejects, when it has ended. */
  readonly ended: Promise<unknown>;
  kill(): void;
}

export interface KeptMeterOptions<Run> {
  clock: Pick<Clock, 'monotonicMs'>;
  startRun: (onFrame: (frame: SoundFrame) => void) => Run;
  /** Called with each frame and the time of its measurement. */
  onFrame: (frame: SoundFrame, measuredAtMs: number) => void;
}

/** Keeps one ffmpeg measuring: it is started again if it ends, and killed if it hangs. Never throws. */
export class KeptMeter<Run extends RunningMeter> {
  readonly #options: KeptMeterOptions<Run>;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #run: Run | undefined;
  /** The newest frames, oldest first. */
  #frames: readonly SoundFrame[] = [];
  #measuredAtMs = 0;
  /** How much of its input ffmpeg hasn't measured yet, in milliseconds. */
  #behindMs = 0;
  #hasFailed = false;

  constructor(options: KeptMeterOptions<Run>) {
    this.#options = options;
    let attempt = 0;
    let emptyRuns = 0;
    const running = keepRunning((signal) => this.#measure(signal), {
      signal: this.#closing.signal,
      nextAfterMs: (frames) => {
        attempt = frames >= provenFrames ? 1 : attempt + 1;
        emptyRuns = frames === 0 ? emptyRuns + 1 : 0;
        if (emptyRuns >= failedRuns) this.#hasFailed = true;
        return retryPauseMs(attempt + 1);
      },
    });
    this.#ended = running.catch((error: unknown) => reportFault(error, 'metering audio'));
  }

  /** The ffmpeg that takes audio now; undefined from when one is killed or ends until the next one starts. */
  get run(): Run | undefined {
    return this.#run;
  }

  /** Whether the last measurement is recent enough to be current. */
  get isFresh(): boolean {
    return this.#run !== undefined && this.#now - this.#measuredAtMs < freshMs;
  }

  /** How loud it is now, or why that is unknown; undefined if nothing was measured lately. */
  read(): AudioMeter | undefined {
    if (this.#hasFailed) return { kind: 'unmeasured', why: 'failed' };
    const newest = this.#frames.at(-1);
    if (newest?.momentaryLufs === undefined || !this.isFresh) return undefined;
    const { momentaryLufs, shortTermLufs, truePeaksDbtp } = newest;
    return {
      kind: 'measured',
      momentaryLufs,
      ...(shortTermLufs !== undefined && { shortTermLufs }),
      truePeaksDbtp: truePeaksDbtp.map((_, index) => Math.max(...this.#frames.map((frame) => frame.truePeaksDbtp[index] ?? 0))),
    };
  }

  /** Notes how much more audio ffmpeg was fed, in milliseconds. If it is 10 s behind, it is killed. */
  noteFed(durationMs: number): void {
    this.#behindMs += durationMs;
    if (this.#behindMs <= maxBehindMs) return;
    // Kill it only once: much audio may come before it has ended.
    this.#run?.kill();
    this.#run = undefined;
  }

  /** Ends it; resolves, never rejects, when its ffmpeg has ended. May be called twice. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  get #now(): number {
    return this.#options.clock.monotonicMs();
  }

  /** Runs one ffmpeg to its end; resolves with how many frames it measured. */
  async #measure(signal: AbortSignal): Promise<number> {
    let frames = 0;
    this.#frames = [];
    this.#behindMs = 0;
    const run = this.#options.startRun((frame) => {
      frames += 1;
      if (!signal.aborted) this.#take(frame);
    });
    this.#run = run;
    const kill = () => run.kill();
    signal.addEventListener('abort', kill);
    await run.ended;
    signal.removeEventListener('abort', kill);
    this.#run = undefined;
    return frames;
  }

  #take(frame: SoundFrame): void {
    this.#hasFailed = false;
    this.#measuredAtMs = this.#now;
    this.#behindMs = Math.max(0, this.#behindMs - soundFrameMs);
    this.#frames = [...this.#frames, frame].slice(-peakFrames);
    this.#options.onFrame(frame, this.#measuredAtMs);
  }
}
