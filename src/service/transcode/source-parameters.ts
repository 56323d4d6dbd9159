import type { PlacedUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';
import type { CanDecode } from './decoder-probe.ts';

/** A source's audio. It is encoded if not every player can play it and ffmpeg can decode it. */
export interface SourceAudio {
  config: AudioConfig;
  encode: boolean;
}

/** A unit's role for a ladder. */
export type LadderInput = 'video-config' | 'audio-config' | 'keyframe' | 'frame' | 'audio' | 'nothing';

/** Follows the parameters of a source. They last over a jump of its clock: a new timeline does not announce them again. */
export class SourceParameters {
  video: VideoConfig | undefined;
  audio: SourceAudio | undefined;
  readonly #canDecode: CanDecode;

  constructor(canDecode: CanDecode) {
    this.#canDecode = canDecode;
  }

  /** Notes a unit and returns its role. Unchanged parameters are `nothing`. */
  read(unit: PlacedUnit): LadderInput {
    if (unit.type === 'video') return unit.keyframe ? 'keyframe' : 'frame';
    if (unit.type === 'audio') return 'audio';
    const { config } = unit;
    if (config.track === 'video') {
      if (isSameConfig(this.video, config)) return 'nothing';
      this.video = config;
      return 'video-config';
    }
    if (isSameConfig(this.audio?.config, config)) return 'nothing';
    const { format } = config;
    this.audio = { config, encode: !format.playsEverywhere(config) && this.#canDecode(format) };
    return 'audio-config';
  }
}
