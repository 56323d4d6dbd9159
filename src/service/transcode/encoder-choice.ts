import type { EncoderChoice, EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { Logger } from '../ports.ts';
import { chooseEncoder, probeEncoders } from './encoder-probe.ts';

export interface EncoderChooserOptions {
  ffmpeg: () => Promise<ServiceInfo['ffmpeg']>;
  dataFolder: string;
  choice: () => EncoderChoice;
  log: Logger;
}

/** Knows which encoders work on this computer, once they have been tried: when something is first to be transcoded, or asked. */
export class EncoderChooser {
  readonly #options: EncoderChooserOptions;
  readonly #found = createEventSource<void>();
  #trials: EncoderTrial[] | undefined;
  #trying: Promise<void> | undefined;

  constructor(options: EncoderChooserOptions) {
    this.#options = options;
  }

  /** What was found, for the screens; undefined before. */
  get found(): ServiceInfo['encoders'] {
    return this.#trials && { used: this.#choose(this.#trials), trials: this.#trials };
  }

  /** Calls `listener` when the encoders have been tried; returns the undo. */
  onFound(listener: () => void): () => void {
    return this.#found.on(listener);
  }

  /** The encoder to use now: while nothing has been tried, the one that every full ffmpeg has. Undefined: none works. */
  pick(): EncoderName | undefined {
    void this.try();
    return this.#trials === undefined ? 'libx264' : this.#choose(this.#trials);
  }

  /** Tries them, once; resolves when that is done, whatever came of it. */
  try(): Promise<void> {
    this.#trying ??= this.#try();
    return this.#trying;
  }

  async #try(): Promise<void> {
    const ffmpeg = await this.#options.ffmpeg();
    if (ffmpeg.kind === 'missing') return;
    try {
      this.#trials = await probeEncoders({ ffmpeg, dataFolder: this.#options.dataFolder });
      this.#found.emit();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'The encoders could not be tried.');
    }
  }

  #choose(trials: readonly EncoderTrial[]): EncoderName | undefined {
    return chooseEncoder(this.#options.choice(), trials).encoder;
  }
}
