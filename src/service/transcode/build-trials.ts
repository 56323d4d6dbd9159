import type { EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { pause } from '../../shared/pause.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Logger } from '../ports.ts';
import { type ProbedDecoders, probeDecoders } from './decoder-probe.ts';
import { chooseEncoder, hasWorked, mayWorkSoon, probeEncoders, recallEncoders, wasLate } from './encoder-probe.ts';

export type FoundFfmpeg = Extract<ServiceInfo['ffmpeg'], { kind: 'found' }>;

export interface BuildTrialsOptions {
  ffmpeg: FoundFfmpeg;
  dataFolder: string;
  /** Aborts when the service closes: trials end. */
  closing: AbortSignal;
  log: Logger;
  /**
   * The pauses before trials of encoders and decoders that may work soon, in milliseconds. The last pause is repeated while no encoder
   * works, and while hardware fails that worked at an earlier start.
   */
  retryAfterMs: readonly number[];
  /** Called whenever encoders have been tried. */
  onFound: () => void;
}

/** Tries the encoders and decoders of one build of ffmpeg at once, and later again those that may work soon. */
export class BuildTrials {
  readonly ffmpeg: FoundFfmpeg;
  /** Resolves once all have been tried, whatever the outcome. */
  readonly ended: Promise<void>;
  /** The last start's results for the encoders, to use until they have been tried; empty if nothing is known. */
  readonly recalled: Promise<EncoderTrial[]>;
  readonly #options: BuildTrialsOptions;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #decodersTried = Promise.withResolvers<void>();
  #encoders: EncoderTrial[] | undefined;
  /** The outcome of the last start's trials. */
  #recalled: readonly EncoderTrial[] = [];
  /** Hardware that refused at once, in any trial. */
  readonly #refused = new Set<EncoderName>();
  #decoders: ProbedDecoders | undefined;
  #hasEnded = false;

  constructor(options: BuildTrialsOptions) {
    this.ffmpeg = options.ffmpeg;
    this.#options = options;
    this.#signal = AbortSignal.any([options.closing, this.#closing.signal]);
    this.recalled = recallEncoders(options).catch(() => []);
    this.ended = this.#try();
  }

  /** The outcome of the encoders' trials; undefined until then. */
  get encoders(): EncoderTrial[] | undefined {
    return this.#encoders;
  }

  /** The outcome of the decoders' trials; undefined until then. */
  get decoders(): ProbedDecoders | undefined {
    return this.#decoders;
  }

  /** Whether all have been tried, whatever the outcome. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves once the decoders have been tried; never where that failed. */
  get decodersTried(): Promise<void> {
    return this.#decodersTried.promise;
  }

  /** Ends the trials: another build has taken its place. `onFound` is not called any more. */
  close(): void {
    this.#closing.abort();
  }

  async #try(): Promise<void> {
    await this.#probe();
    this.#hasEnded = true;
    runHarmlessly(() => this.#retry(), 'trying encoders again');
  }

  async #retry(): Promise<void> {
    const { retryAfterMs } = this.#options;
    for (let done = 0; this.#mayFindMore; done += 1) {
      const pauseMs = retryAfterMs[done] ?? (this.#hasFoundOne && !this.#mayBeInUse ? undefined : retryAfterMs.at(-1));
      if (pauseMs === undefined) return;
      await pause(pauseMs, this.#signal);
      if (this.#signal.aborted) return;
      await this.#probe();
    }
  }

  /** Whether a trial has found a working encoder. */
  get #hasFoundOne(): boolean {
    return this.#encoders !== undefined && chooseEncoder('automatic', this.#encoders) !== undefined;
  }

  /** Whether trying again may find more. Also true if the trials themselves failed, for example while ffmpeg is being replaced. */
  get #mayFindMore(): boolean {
    return (
      !this.#decoders?.isSettled || (this.#encoders?.some((trial) => mayWorkSoon(trial) || this.#hasFailedNow(trial)) ?? true)
    );
  }

  /** Whether failing hardware may only be in use. Hardware that only ever hangs is not tried forever. */
  get #mayBeInUse(): boolean {
    return this.#encoders?.some((trial) => this.#hasFailedNow(trial) && this.#refused.has(trial.encoder)) ?? false;
  }

  /** Hardware that worked at an earlier start may only be in use, for hours, by a broadcast that took all its sessions at once. */
  #hasFailedNow({ encoder, works }: EncoderTrial): boolean {
    return !works && hasWorked(encoder, this.#recalled);
  }

  async #probe(): Promise<void> {
    const { ffmpeg, dataFolder, log, onFound } = this.#options;
    const signal = this.#signal;
    try {
      this.#recalled = await this.recalled;
      // Decoders first: a broadcast can't begin without their outcome, and they are tried in a fraction of the time.
      this.#decoders = await probeDecoders({ ffmpeg, dataFolder, signal });
      this.#decodersTried.resolve();
      this.#encoders = await probeEncoders({ ffmpeg, dataFolder, signal, tried: this.#encoders });
      for (const trial of this.#encoders) if (!trial.works && !wasLate(trial)) this.#refused.add(trial.encoder);
      // Listeners may ask at once.
      this.#hasEnded = true;
      onFound();
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'The encoders could not be tried.');
    }
  }
}
