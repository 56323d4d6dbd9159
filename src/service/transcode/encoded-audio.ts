import { type AudioUnit, type ConfigUnit, decodeMs, type PlacedUnit, placedTimescale } from '../media/media-unit.ts';
import { stampRoundingMs } from '../media/rounding.ts';

export interface EncodedAudioOptions {
  timeline: number;
  /** When the first keyframe is shown, on the source's timeline. Audio may begin before it. */
  startMs: number;
  /** Where that is on ffmpeg's timeline. */
  originMs: number;
}

/**
 * Puts the audio that an ffmpeg encodes where its source's is.
 *
 * An AAC encoder puts out a frame of silence before the first one that it was fed, its priming. That is left out: it would overlap what
 * the ffmpeg before encoded, or begin before the timeline, and everything after it would be played that much too late.
 */
export class EncodedAudio {
  readonly #options: EncodedAudioOptions;
  #fedFromMs: number | undefined;

  constructor(options: EncodedAudioOptions) {
    this.#options = options;
  }

  /** ffmpeg is fed a frame that is played at this time. */
  expect(timeMs: number): void {
    this.#fedFromMs ??= timeMs;
  }

  /** Places a unit that ffmpeg has put out; undefined if it is priming. */
  place(unit: AudioUnit | ConfigUnit): PlacedUnit | undefined {
    const { timeline, startMs, originMs } = this.#options;
    const timeMs = decodeMs(unit) - originMs + startMs;
    const fromMs = this.#fedFromMs ?? startMs;
    if (unit.type === 'audio' && timeMs < fromMs - stampRoundingMs) return undefined;
    // FLV puts the configuration at 0. The first frame may be rounded to before the timeline.
    return { ...unit, timeline, timescale: placedTimescale, dts: Math.max(timeMs, unit.type === 'config' ? startMs : 0) };
  }
}
