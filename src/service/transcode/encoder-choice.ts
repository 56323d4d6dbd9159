import { isDeepStrictEqual } from 'node:util';
import type { EncoderChoice, EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { Logger } from '../ports.ts';
import { BuildTrials } from './build-trials.ts';
import { type CanDecode, decodesAnywhere } from './decoder-probe.ts';
import { chooseEncoder } from './encoder-probe.ts';

export interface EncoderChooserOptions {
  ffmpeg: () => Promise<ServiceInfo['ffmpeg']>;
  dataFolder: string;
  choice: () => EncoderChoice;
  /** Aborts when the service closes: trials end. */
  closing: AbortSignal;
  log: Logger;
  /**
   * When encoders and decoders that may work soon are tried again, in milliseconds after the trial before: 30 s and 5 min by default.
   * The last pause is repeated while nothing else encodes, and while hardware fails that worked at an earlier start.
   */
  retryAfterMs?: readonly number[];
  /** How long a broadcast waits at its start while encoders are being tried, in milliseconds: 2 s by default. */
  patienceMs?: number;
}

/** What to encode with, and what ffmpeg decodes. `encoder` is undefined if none works here. */
export interface PickedEncoder {
  ffmpeg: ServiceInfo['ffmpeg'];
  encoder: EncoderName | undefined;
  canDecode: CanDecode;
}

const defaultPatienceMs = 2_000;
/** The computer may have been busy; hardware that hangs isn't tried for ever. */
const defaultRetryAfterMs = [30_000, 300_000];

/** Chooses an encoder that works on this computer, once those of its ffmpeg have been tried. */
export class EncoderChooser {
  readonly #options: EncoderChooserOptions;
  readonly #found = createEventSource<void>();
  /** Of the ffmpeg that was found last. */
  #trials: BuildTrials | undefined;

  constructor(options: EncoderChooserOptions) {
    this.#options = options;
  }

  /** The outcome of the trials, for the screens; undefined until then. */
  get found(): ServiceInfo['encoders'] {
    const trials = this.#trials?.encoders;
    return trials && { used: this.#choose(this.#trials), trials };
  }

  /** Calls `listener` whenever encoders have been tried, or are about to be tried again; returns the undo. */
  onFound(listener: () => void): () => void {
    return this.#found.on(listener);
  }

  /** Where the ffmpeg is that was found last, even while its encoders are being tried; undefined while there is none. */
  get ffmpegPath(): string | undefined {
    return this.#trials?.ffmpeg.path;
  }

  /** What to encode with now; undefined while the encoders are being tried. */
  get picked(): PickedEncoder | undefined {
    return this.#trials?.hasEnded ? this.#pick(this.#trials.ffmpeg, this.#trials) : undefined;
  }

  /**
   * What to encode with. While encoders are being tried, it is the hardware or the choice that worked at the last start, at once; after
   * about 2 s without an outcome x264, which every full build of ffmpeg has. Nothing can be assumed about its decoders, and a ladder
   * gives up on a wrong answer. So with `decodes` it waits for their trials as well, a few seconds at most if ffmpeg hangs.
   */
  async pickSoon({ decodes }: { decodes: boolean }): Promise<PickedEncoder> {
    const { ffmpeg: findFfmpeg, patienceMs = defaultPatienceMs } = this.#options;
    const ffmpeg = await findFfmpeg();
    const trials = this.#follow(ffmpeg);
    const recalled = this.#recall(await trials?.recalled);
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, recalled === undefined ? patienceMs : 0);
    await Promise.race([trials?.ended, Promise.all([decodes && trials?.decodersTried, patience.promise])]);
    clearTimeout(timer);
    return this.#pick(ffmpeg, trials, recalled);
  }

  /** Tries the encoders of ffmpeg, once there is one, and again for each other build; resolves when that is done, whatever the outcome. */
  async try(): Promise<void> {
    await this.#follow(await this.#options.ffmpeg())?.ended;
  }

  /** The trials of this ffmpeg. Those of another build are ended and forgotten; without ffmpeg there are none. */
  #follow(ffmpeg: ServiceInfo['ffmpeg']): BuildTrials | undefined {
    const before = this.#trials;
    if (isDeepStrictEqual(before?.ffmpeg, ffmpeg)) return before;
    before?.close();
    const { dataFolder, closing, log, retryAfterMs = defaultRetryAfterMs } = this.#options;
    const onFound = () => this.#found.emit();
    this.#trials =
      ffmpeg.kind === 'found' ? new BuildTrials({ ffmpeg, dataFolder, closing, log, retryAfterMs, onFound }) : undefined;
    if (before !== undefined) this.#found.emit();
    return this.#trials;
  }

  /** The encoder to use at once, by what the last start found. Undefined for x264 in place of hardware, which may have its driver now. */
  #recall(recalled: readonly EncoderTrial[] = []): EncoderName | undefined {
    const choice = this.#options.choice();
    const encoder = chooseEncoder(choice, recalled);
    return encoder === 'libx264' && choice !== 'libx264' ? undefined : encoder;
  }

  #pick(ffmpeg: ServiceInfo['ffmpeg'], trials: BuildTrials | undefined, recalled?: EncoderName): PickedEncoder {
    return { ffmpeg, encoder: this.#choose(trials, recalled), canDecode: trials?.decoders?.canDecode ?? decodesAnywhere };
  }

  #choose(trials: BuildTrials | undefined, recalled: EncoderName = 'libx264'): EncoderName | undefined {
    return trials?.encoders === undefined ? recalled : chooseEncoder(this.#options.choice(), trials.encoders);
  }
}
