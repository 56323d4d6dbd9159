import type { PlacedUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig, type VideoConfig } from '../media/track-config.ts';

/** A source's sound, and whether it must be encoded because players may not take it as it is. */
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
    this.audio = { config, encode: !isLowComplexity(config) };
    return 'audio-config';
  }
}

function isLowComplexity({ codec }: AudioConfig): boolean {
  return codec === 'mp4a.40.2';
}
