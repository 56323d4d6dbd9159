import { type AudioUnit, type ConfigUnit, decodeMs, type PlacedUnit, placedTimescale } from '../media/media-unit.ts';
import { stampRoundingMs } from '../media/rounding.ts';

export interface EncodedAudioOptions {
  timeline: number;
  /** When the first keyframe is shown, on the source's timeline. Audio may begin before it. */
  startMs: number;
  /** The same time on ffmpeg's timeline. */
  originMs: number;
}

/**
 * Puts the audio that an ffmpeg encodes at the times of its source.
 *
 * An AAC encoder outputs a frame of silence, its priming, before the first frame that it was fed. The priming is left out: it would overlap
 * the audio of the previous ffmpeg, or begin before the timeline, and all later audio would be played late by its length.
 */
export class EncodedAudio {
  readonly #options: EncodedAudioOptions;
  #fedFromMs: number | undefined;

  constructor(options: EncodedAudioOptions) {
    this.#options = options;
  }

  /** Notes that ffmpeg is fed a frame that is played at this time. */
  expect(timeMs: number): void {
    this.#fedFromMs ??= timeMs;
  }

  /** Places a unit of ffmpeg's output; undefined if it is priming. */
  place(unit: AudioUnit | ConfigUnit): PlacedUnit | undefined {
    const { timeline, startMs, originMs } = this.#options;
    const timeMs = decodeMs(unit) - originMs + startMs;
    const fromMs = this.#fedFromMs ?? startMs;
    if (unit.type === 'audio' && timeMs < fromMs - stampRoundingMs) return undefined;
    // FLV puts the configuration at 0. The first frame may be rounded to before the timeline.
    return { ...unit, timeline, timescale: placedTimescale, dts: Math.max(timeMs, unit.type === 'config' ? startMs : 0) };
  }
}
