import { type AudioUnit, type PlacedUnit, placedTimescale } from '../media/media-unit.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import type { VideoInput } from './video-track.ts';

/** A time on a timeline. */
interface Place {
  timeline: number;
  timeMs: number;
}

/** Passes on a source's placed media, stand-ins included: each unit after the configuration it is coded with. */
export class PlacedFeed {
  readonly #onPlaced: (unit: PlacedUnit) => void;
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;

  constructor(onPlaced: (unit: PlacedUnit) => void) {
    this.#onPlaced = onPlaced;
  }

  /** The next video frames are coded with this; passed on once. */
  announceVideo(config: VideoConfig, place: Place): void {
    if (config === this.#video) return;
    this.#video = config;
    this.#announce(config, place);
  }

  /** The next audio frames are coded with this; passed on once. */
  announceAudio(config: AudioConfig, place: Place): void {
    if (config === this.#audio) return;
    this.#audio = config;
    this.#announce(config, place);
  }

  pushVideo({ timeMs, compositionTimeMs, config, keyframe, independent, data }: VideoInput, timeline: number): void {
    this.announceVideo(config, { timeline, timeMs });
    const times = { timeline, timescale: placedTimescale, dts: timeMs, pts: timeMs + compositionTimeMs } as const;
    this.#onPlaced({ type: 'video', ...times, config, keyframe, independent, data });
  }

  pushAudio(frame: Pick<AudioUnit, 'config' | 'data' | 'standsIn'>, { timeline, timeMs }: Place): void {
    this.announceAudio(frame.config, { timeline, timeMs });
    this.#onPlaced({ type: 'audio', timeline, timescale: placedTimescale, dts: timeMs, ...frame });
  }

  #announce(config: VideoConfig | AudioConfig, { timeline, timeMs }: Place): void {
    this.#onPlaced({ type: 'config', timeline, timescale: placedTimescale, dts: timeMs, config });
  }
}
