import type { EncoderChoice, EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { pause } from '../../shared/pause.ts';
import { createEventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Logger } from '../ports.ts';
import { type CanDecode, decodesAnywhere, type ProbedDecoders, probeDecoders } from './decoder-probe.ts';
import { chooseEncoder, mayWorkSoon, probeEncoders } from './encoder-probe.ts';

export interface EncoderChooserOptions {
  ffmpeg: () => Promise<ServiceInfo['ffmpeg']>;
  dataFolder: string;
  choice: () => EncoderChoice;
  /** Aborts when the service closes: trials end. */
  closing: AbortSignal;
  log: Logger;
  /**
   * When encoders and decoders that may work soon are tried again, in milliseconds after the trial before: 30 s and 5 min by default.
   * The last pause is repeated while nothing else encodes.
   */
  retryAfterMs?: readonly number[];
  /** How long a broadcast waits at its start while encoders are being tried, in milliseconds: 2 s by default. */
  patienceMs?: number;
}

type FoundFfmpeg = Extract<ServiceInfo['ffmpeg'], { kind: 'found' }>;

/** What to encode with, and what ffmpeg decodes. `encoder` is undefined if none works here. */
export interface PickedEncoder {
  ffmpeg: ServiceInfo['ffmpeg'];
  encoder: EncoderName | undefined;
  canDecode: CanDecode;
}

const defaultPatienceMs = 2_000;
/** The computer may have been busy; hardware that hangs isn't tried for ever. */
const defaultRetryAfterMs = [30_000, 300_000];

/** Chooses an encoder that works on this computer, once encoders have been tried. */
export class EncoderChooser {
  readonly #options: EncoderChooserOptions;
  readonly #found = createEventSource<void>();
  /** Resolves once the decoders have been tried; never where that failed. */
  readonly #decodersTried = Promise.withResolvers<void>();
  #trials: EncoderTrial[] | undefined;
  #decoders: ProbedDecoders | undefined;
  #trying: Promise<void> | undefined;
  /** ffmpeg, once its encoders have been tried, whatever the outcome. */
  #tried: ServiceInfo['ffmpeg'] | undefined;

  constructor(options: EncoderChooserOptions) {
    this.#options = options;
  }

  /** The outcome of the trials, for the screens; undefined until then. */
  get found(): ServiceInfo['encoders'] {
    return this.#trials && { used: this.#choose(), trials: this.#trials };
  }

  /** Calls `listener` whenever encoders have been tried; returns the undo. */
  onFound(listener: () => void): () => void {
    return this.#found.on(listener);
  }

  /** What to encode with now; undefined while the encoders are being tried. */
  get picked(): PickedEncoder | undefined {
    return this.#tried && this.#pick(this.#tried);
  }

  /**
   * What to encode with. After about 2 s without an outcome it is x264, which every full build of ffmpeg has. Nothing can be assumed
   * about its decoders, and a ladder gives up on a wrong answer. So with `decodes` it waits for their trials as well, a few seconds at
   * most if ffmpeg hangs.
   */
  async pickSoon({ decodes }: { decodes: boolean }): Promise<PickedEncoder> {
    const { ffmpeg: findFfmpeg, patienceMs = defaultPatienceMs } = this.#options;
    const ffmpeg = await findFfmpeg();
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, patienceMs);
    const decodersTried = decodes ? this.#decodersTried.promise : undefined;
    await Promise.race([this.try(), Promise.all([decodersTried, patience.promise])]);
    clearTimeout(timer);
    return this.#pick(ffmpeg);
  }

  /** Tries the encoders of ffmpeg, once there is one; resolves when that is done, whatever the outcome. */
  try(): Promise<void> {
    this.#trying ??= this.#try();
    return this.#trying;
  }

  async #try(): Promise<void> {
    const ffmpeg = await this.#options.ffmpeg();
    if (ffmpeg.kind === 'missing') {
      this.#trying = undefined;
      return;
    }
    await this.#probe(ffmpeg);
    this.#tried = ffmpeg;
    runHarmlessly(() => this.#retry(ffmpeg), 'trying encoders again');
  }

  async #retry(ffmpeg: FoundFfmpeg): Promise<void> {
    const { closing, retryAfterMs = defaultRetryAfterMs } = this.#options;
    for (let done = 0; this.#mayFindMore; done += 1) {
      const pauseMs = retryAfterMs[done] ?? (this.#hasFoundOne ? undefined : retryAfterMs.at(-1));
      if (pauseMs === undefined) return;
      await pause(pauseMs, closing);
      if (closing.aborted) return;
      await this.#probe(ffmpeg);
    }
  }

  /** Whether an encoder works, as far as trials tell. */
  get #hasFoundOne(): boolean {
    return this.#trials !== undefined && this.#choose() !== undefined;
  }

  /** Whether trying again may find more. Nothing was found where trying itself failed, as while ffmpeg is being replaced. */
  get #mayFindMore(): boolean {
    return !this.#decoders?.isSettled || (this.#trials?.some(mayWorkSoon) ?? true);
  }

  async #probe(ffmpeg: FoundFfmpeg): Promise<void> {
    const { dataFolder, closing, log } = this.#options;
    try {
      // Decoders first: a broadcast can't begin without their outcome, and they are tried in a fraction of the time.
      this.#decoders = await probeDecoders({ ffmpeg, dataFolder, signal: closing });
      this.#decodersTried.resolve();
      this.#trials = await probeEncoders({ ffmpeg, dataFolder, signal: closing });
      // Listeners may ask at once.
      this.#tried = ffmpeg;
      this.#found.emit();
    } catch (error) {
      if (!closing.aborted) log.warn({ err: error }, 'The encoders could not be tried.');
    }
  }

  #pick(ffmpeg: ServiceInfo['ffmpeg']): PickedEncoder {
    return { ffmpeg, encoder: this.#choose(), canDecode: this.#decoders?.canDecode ?? decodesAnywhere };
  }

  #choose(): EncoderName | undefined {
    return this.#trials === undefined ? 'libx264' : chooseEncoder(this.#options.choice(), this.#trials);
  }
}
