import type { PlacedUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';
import type { CanDecode } from './decoder-probe.ts';

/** A source's sound, and whether it is encoded, because players may not take it as it is and it can be. */
export interface SourceAudio {
  config: AudioConfig;
  encode: boolean;
}

/** What a unit is to a ladder. */
export type LadderInput = 'video-config' | 'audio-config' | 'keyframe' | 'frame' | 'sound' | 'nothing';

/** Follows the parameters of a source: they stay those of a timeline that a jump of its clock begins, and are not sent again. */
export class SourceParameters {
  video: VideoConfig | undefined;
  audio: SourceAudio | undefined;
  readonly #canDecode: CanDecode;

  constructor(canDecode: CanDecode) {
    this.#canDecode = canDecode;
  }

  /** Takes note of a unit: `video-config` and `audio-config` are other parameters than before, repeated ones are `nothing`. */
  read(unit: PlacedUnit): LadderInput {
    if (unit.type === 'video') return unit.keyframe ? 'keyframe' : 'frame';
    if (unit.type === 'audio') return 'sound';
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
