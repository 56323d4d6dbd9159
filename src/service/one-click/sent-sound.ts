import type { RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { MediaUnit } from '../media/media-unit.ts';

export interface SentSoundOptions {
  /** Whether the broadcast goes to another computer. Sound that arrives at our own ingest is metered there. */
  isElsewhere: () => boolean;
  startMeter: () => RunningAudioMeter;
}

/** Meters the encoded audio of a one-click broadcast that another computer receives, since nobody else here does. */
export class SentSound {
  readonly #options: SentSoundOptions;
  #meter: RunningAudioMeter | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: SentSoundOptions) {
    this.#options = options;
  }

  /** Undefined while another part of this computer meters it, or nothing is encoded yet. */
  get meter(): RunningAudioMeter | undefined {
    return this.#meter;
  }

  /** Takes the next unit that goes out. Never throws: a meter must not disturb its broadcast. */
  push(unit: MediaUnit): void {
    if (unit.type === 'audio' && !this.#isClosed)
      runHarmlessly(() => this.#measure(unit), 'metering the audio that one click sends');
  }

  /** Ends the meter; resolves, never rejects, when its ffmpeg has ended. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#ended;
  }

  #measure(unit: MediaUnit): void {
    const { isElsewhere, startMeter } = this.#options;
    if (isElsewhere()) {
      this.#meter ??= startMeter();
      this.#meter.push(unit);
    } else this.#end();
  }

  #end(): void {
    const meter = this.#meter;
    if (meter === undefined) return;
    this.#meter = undefined;
    this.#ended = Promise.all([this.#ended, meter.close()]);
  }
}
