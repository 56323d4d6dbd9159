import { type PlacedUnit, placedTimescale } from '../media/media-unit.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import type { VideoInput } from './video-track.ts';

/** Where on which timeline something stands. */
interface Place {
  timeline: number;
  timeMs: number;
}

/** Hands a source's media on in its places, what stands in for a track too: each unit after the configuration it is coded with. */
export class PlacedFeed {
  readonly #onPlaced: (unit: PlacedUnit) => void;
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;

  constructor(onPlaced: (unit: PlacedUnit) => void) {
    this.#onPlaced = onPlaced;
  }

  /** Pictures that follow are coded with this; said once. */
  announceVideo(config: VideoConfig, place: Place): void {
    if (config === this.#video) return;
    this.#video = config;
    this.#announce(config, place);
  }

  /** Sound that follows is coded with this; said once. */
  announceAudio(config: AudioConfig, place: Place): void {
    if (config === this.#audio) return;
    this.#audio = config;
    this.#announce(config, place);
  }

  pushPicture({ timeMs, compositionTimeMs, config, keyframe, independent, data }: VideoInput, timeline: number): void {
    this.announceVideo(config, { timeline, timeMs });
    const times = { timeline, timescale: placedTimescale, dts: timeMs, pts: timeMs + compositionTimeMs } as const;
    this.#onPlaced({ type: 'video', ...times, config, keyframe, independent, data });
  }

  pushSound(config: AudioConfig, { timeline, timeMs }: Place, data: Buffer): void {
    this.announceAudio(config, { timeline, timeMs });
    this.#onPlaced({ type: 'audio', timeline, timescale: placedTimescale, dts: timeMs, config, data });
  }

  #announce(config: VideoConfig | AudioConfig, { timeline, timeMs }: Place): void {
    this.#onPlaced({ type: 'config', timeline, timescale: placedTimescale, dts: timeMs, config });
  }
}
