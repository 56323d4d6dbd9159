import { runHarmlessly } from '../lib/faults.ts';
import type { ConfigUnit, MediaUnit } from '../media/media-unit.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';
import type { EncodeListener } from './encode-run.ts';
import type { EncoderOptions } from './encoder.ts';
import { Handover } from './handover.ts';

/** How long the next encoder may take to catch up. On a computer too slow for two encoders it never does. */
const handoverWithinMs = 20_000;

/** Takes an encoder's output, and hears what happens to it. */
export type EncoderListener = EncodeListener & Pick<EncoderOptions, 'onFallback' | 'onRestart' | 'onFailed'>;

/** An encoder that runs. */
export interface StartedEncoder {
  stop(): Promise<void>;
}

export interface VideoEncodersOptions extends EncoderListener {
  fps: number;
  /** When frame 0 is decoded, in milliseconds. */
  originMs: number;
  /** Starts an encoder at a bitrate. Whenever one starts, its keyframes are at the same frames. */
  start: (bitrateBps: number, listener: EncoderListener) => StartedEncoder;
}

/** An encoder, and where its output goes. */
interface Member {
  encoder: StartedEncoder;
  takeUnit: (unit: MediaUnit) => void;
  metadata: StreamMetadata | undefined;
  /** Its listener hears what happens to it. */
  isHeard: boolean;
}

/**
 * The video encoder of a broadcast. For another bitrate a second one starts beside it, on the same frames; at a keyframe it takes over
 * ({@link Handover}). Viewers notice nothing: no frame is missing, and the parameters of the track stay the same.
 */
export class VideoEncoders {
  readonly #options: VideoEncodersOptions;
  #running: Member;
  #config: ConfigUnit | undefined;
  /** Ends the handover that is under way. */
  #giveUp: (() => void) | undefined;
  #next: Member | undefined;
  #isStopped = false;

  constructor(options: VideoEncodersOptions, bitrateBps: number) {
    this.#options = options;
    this.#running = this.#start(bitrateBps, (unit) => this.#send(unit));
    this.#running.isHeard = true;
  }

  /** Encodes at another bitrate from a keyframe on. Resolves once it does, or with false if it can't and nothing changes. */
  replace(bitrateBps: number): Promise<boolean> {
    if (this.#isStopped || this.#next !== undefined) return Promise.resolve(false);
    const { fps, originMs } = this.#options;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isReplaced: boolean) => {
      clearTimeout(timer);
      this.#giveUp = undefined;
      this.#next = undefined;
      resolve(isReplaced);
    };
    const running = this.#running;
    const handover = new Handover(
      {
        fps,
        originMs,
        onUnit: (unit) => this.#send(unit),
        onDone: () => {
          this.#running = next;
          next.takeUnit = (unit) => this.#send(unit);
          next.isHeard = true;
          running.isHeard = false;
          if (next.metadata) this.#options.onMetadata(next.metadata);
          end(true);
          runHarmlessly(() => running.encoder.stop(), 'ending a replaced encoder');
        },
      },
      this.#config,
    );
    this.#giveUp = () => {
      running.takeUnit = (unit) => this.#send(unit);
      handover.cancel();
      end(false);
      runHarmlessly(() => next.encoder.stop(), 'ending an encoder that could not take over');
    };
    const timer = setTimeout(() => this.#giveUp?.(), handoverWithinMs);
    const next = this.#start(bitrateBps, (unit) => handover.takeNext(unit));
    this.#next = next;
    running.takeUnit = (unit) => handover.takeRunning(unit);
    return promise;
  }

  /** Ends them within 1.5 s; no callback follows. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const next = this.#next;
    this.#running.isHeard = false;
    this.#giveUp?.();
    await Promise.all([this.#running.encoder.stop(), next?.encoder.stop()]);
  }

  #start(bitrateBps: number, takeUnit: Member['takeUnit']): Member {
    const { start, onMetadata, onProgress, onFallback, onRestart, onFailed } = this.#options;
    /** If the next encoder fails before it takes over, it is given up and the running one stays. */
    const tell = (what: () => void) => {
      if (member.isHeard) what();
      else if (member === this.#next) this.#giveUp?.();
    };
    const member: Member = {
      encoder: start(bitrateBps, {
        onUnit: (unit) => member.takeUnit(unit),
        onMetadata: (metadata) => {
          member.metadata = metadata;
          if (member.isHeard) onMetadata(metadata);
        },
        onProgress: (progress, pid) => {
          if (member.isHeard) onProgress(progress, pid);
        },
        onFallback: (failed) => tell(() => onFallback(failed)),
        onRestart: (failure, waitMs) => tell(() => onRestart(failure, waitMs)),
        onFailed: (failure) => tell(() => onFailed(failure)),
      }),
      takeUnit,
      metadata: undefined,
      isHeard: false,
    };
    return member;
  }

  #send(unit: MediaUnit): void {
    if (this.#isStopped) return;
    if (unit.type === 'config') this.#config = unit;
    this.#options.onUnit(unit);
  }
}
