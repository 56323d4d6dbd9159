import type { EncoderChoice, EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { Logger } from '../ports.ts';
import { type CanDecode, decodesAnywhere, probeDecoders } from './decoder-probe.ts';
import { chooseEncoder, probeEncoders } from './encoder-probe.ts';

export interface EncoderChooserOptions {
  ffmpeg: () => Promise<ServiceInfo['ffmpeg']>;
  dataFolder: string;
  choice: () => EncoderChoice;
  /** Aborts when the service closes: nothing is tried any more. */
  closing: AbortSignal;
  log: Logger;
}

/** What to encode with, and what from. No encoder: none works here. */
export interface PickedEncoder {
  ffmpeg: ServiceInfo['ffmpeg'];
  encoder: EncoderName | undefined;
  canDecode: CanDecode;
}

/** How long a broadcast that begins waits for encoders that are just being tried. */
const patienceMs = 2_000;

/** Knows which encoders work on this computer, once they have been tried. */
export class EncoderChooser {
  readonly #options: EncoderChooserOptions;
  readonly #found = createEventSource<void>();
  #trials: EncoderTrial[] | undefined;
  #canDecode: CanDecode = decodesAnywhere;
  #trying: Promise<ServiceInfo['ffmpeg']> | undefined;
  /** ffmpeg, once the trials of its encoders are over, whatever came of them. */
  #tried: ServiceInfo['ffmpeg'] | undefined;

  constructor(options: EncoderChooserOptions) {
    this.#options = options;
  }

  /** What was found, for the screens; undefined before. */
  get found(): ServiceInfo['encoders'] {
    return this.#trials && { used: this.#choose(), trials: this.#trials };
  }

  /** Calls `listener` when the encoders have been tried; returns the undo. */
  onFound(listener: () => void): () => void {
    return this.#found.on(listener);
  }

  /** What to encode with now; undefined while the encoders are being tried. */
  get picked(): PickedEncoder | undefined {
    return this.#tried && this.#pick(this.#tried);
  }

  /** What to encode with, in about 2 s at the latest: then it is the one that every full ffmpeg has. */
  async pickSoon(): Promise<PickedEncoder> {
    const ffmpeg = await this.#options.ffmpeg();
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, patienceMs);
    await Promise.race([this.try(), patience.promise]);
    clearTimeout(timer);
    return this.#pick(ffmpeg);
  }

  /** Tries them, once; resolves when that is done, whatever came of it. */
  async try(): Promise<void> {
    this.#trying ??= this.#try();
    this.#tried = await this.#trying;
  }

  async #try(): Promise<ServiceInfo['ffmpeg']> {
    const { dataFolder, closing, log } = this.#options;
    const ffmpeg = await this.#options.ffmpeg();
    if (ffmpeg.kind === 'missing') return ffmpeg;
    try {
      // First, since that takes no time.
      this.#canDecode = await probeDecoders({ ffmpeg, dataFolder, signal: closing });
      this.#trials = await probeEncoders({ ffmpeg, dataFolder, signal: closing });
      this.#found.emit();
    } catch (error) {
      if (!closing.aborted) log.warn({ err: error }, 'The encoders could not be tried.');
    }
    return ffmpeg;
  }

  #pick(ffmpeg: ServiceInfo['ffmpeg']): PickedEncoder {
    return { ffmpeg, encoder: this.#choose(), canDecode: this.#canDecode };
  }

  #choose(): EncoderName | undefined {
    return this.#trials === undefined ? 'libx264' : chooseEncoder(this.#options.choice(), this.#trials);
  }
}
