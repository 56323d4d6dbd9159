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
   * The pauses before trials of encoders and decoders that may work soon, in milliseconds: 30 s and 5 min by default. The last pause is
   * repeated while no other encoder works, and while hardware fails that worked at an earlier start.
   */
  retryAfterMs?: readonly number[];
  /** How long a broadcast waits at its start while encoders are being tried, in milliseconds: 2 s by default. */
  patienceMs?: number;
}

/** The encoder to use, and the formats that ffmpeg decodes. `encoder` is undefined if none works here. */
export interface PickedEncoder {
  ffmpeg: ServiceInfo['ffmpeg'];
  encoder: EncoderName | undefined;
  canDecode: CanDecode;
}

const defaultPatienceMs = 2_000;
/** The computer may have been busy; hardware that hangs isn't tried forever. */
const defaultRetryAfterMs = [30_000, 300_000];

/** Chooses an encoder that works on this computer, once those of its ffmpeg have been tried. */
export class EncoderChooser {
  readonly #options: EncoderChooserOptions;
  readonly #found = createEventSource<void>();
  /** The trials of the ffmpeg found last. */
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

  /** The path of the ffmpeg found last, even while its encoders are being tried; undefined while there is none. */
  get ffmpegPath(): string | undefined {
    return this.#trials?.ffmpeg.path;
  }

  /** The encoder to use now; undefined while the encoders are being tried. */
  get picked(): PickedEncoder | undefined {
    return this.#trials?.hasEnded ? this.#pick(this.#trials.ffmpeg, this.#trials) : undefined;
  }

  /**
   * The encoder to use. While encoders are being tried, this is, at once, the hardware or the choice that worked at the last start; if
   * there is none, after about 2 s without a result, x264, which every full build of ffmpeg has. Nothing can be assumed about decoders,
   * and a ladder gives up after a wrong answer. So with `decodes` it waits for their trials as well, a few seconds at most if ffmpeg
   * hangs.
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

  /** The trials of this ffmpeg. The trials of another build are ended and forgotten; without ffmpeg there are none. */
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

  /**
   * The encoder to use at once, judged by the last start's results. Undefined if that would be x264 in place of hardware, whose driver
   * may be installed by now.
   */
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
