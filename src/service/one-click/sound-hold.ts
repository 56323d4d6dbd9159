import { AudioHold } from '../media/audio-hold.ts';
import { type AudioUnit, type ConfigUnit, decodeMs, type MediaUnit } from '../media/media-unit.ts';

/**
 * How much audio may wait for video once there was any, in milliseconds. By then, an encoder that crashed is back unless it keeps
 * crashing, and one that is far too slow has skipped frames. An ingest that gets nothing for 10 s may close the connection.
 */
const maxHeldMs = 8_000;

/**
 * Holds audio until the video of the same time is there: on a busy computer the video's encoder falls behind, and audio that runs
 * ahead would make the video look as if it were gone. If no more video comes for 8 s, the audio continues without it. A broadcast begins with
 * both: players take the first track for the only one.
 */
export class SoundHold {
  readonly #onUnit: (unit: MediaUnit) => void;
  readonly #audio: AudioHold<AudioUnit>;
  #videoMs: number | undefined;
  #hasVideo = false;
  #soundConfig: ConfigUnit | undefined;

  constructor(onUnit: (unit: MediaUnit) => void) {
    this.#onUnit = onUnit;
    this.#audio = new AudioHold<AudioUnit>(maxHeldMs, onUnit);
  }

  push(unit: MediaUnit): void {
    if (unit.type === 'config') this.#announce(unit);
    else if (unit.type === 'audio') {
      this.#audio.push(unit);
      if (this.#videoMs !== undefined) this.#audio.release(this.#videoMs);
    } else {
      this.#videoMs = decodeMs(unit);
      this.#audio.release(this.#videoMs);
      this.#onUnit(unit);
    }
  }

  /** Video is announced first: it is the first track. */
  #announce(unit: ConfigUnit): void {
    if (unit.config.track === 'audio' && !this.#hasVideo) {
      this.#soundConfig = unit;
      return;
    }
    this.#onUnit(unit);
    this.#hasVideo = true;
    const waiting = this.#soundConfig;
    this.#soundConfig = undefined;
    if (waiting) this.#onUnit(waiting);
  }
}
