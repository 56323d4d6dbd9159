import { type AacConfig, parseAacConfig } from '../media/aac.ts';
import { parseAudioTag } from '../media/flv-audio.ts';
import { parseVideoTag } from '../media/flv-video.ts';
import { type H264Config, parseH264Config } from '../media/h264.ts';
import { MediaFormatError } from '../media/media-format-error.ts';
import type { TimedTag } from '../media/timed-tag.ts';

/** A source's sound: its sequence header, and whether it must be encoded because players may not take it as it is. */
export interface SourceAudio {
  header: TimedTag;
  encode: boolean;
}

/** What a tag is to a ladder. */
export type LadderInput = 'video-header' | 'audio-header' | 'keyframe' | 'frame' | 'sound' | 'nothing';

/** Follows the parameters of a source: they stay those of a timeline that a jump of its clock begins, and are not sent again. */
export class SourceParameters {
  video: H264Config | undefined;
  audio: SourceAudio | undefined;

  /** Takes note of a tag: `video-header` and `audio-header` are other parameters than before, repeated ones are `nothing`. */
  read(tag: TimedTag): LadderInput {
    try {
      if (tag.kind === 'video') return this.#readVideo(tag);
      return tag.kind === 'audio' ? this.#readAudio(tag) : 'nothing';
    } catch (error) {
      // The packager of the source tells of malformed tags.
      if (error instanceof MediaFormatError) return 'nothing';
      throw error;
    }
  }

  #readVideo({ body }: TimedTag): LadderInput {
    const tag = parseVideoTag(body);
    if (tag.kind === 'frame') return tag.keyframe ? 'keyframe' : 'frame';
    if (tag.kind !== 'sequence-header' || this.video?.record.equals(tag.record)) return 'nothing';
    this.video = parseH264Config(tag.record);
    return 'video-header';
  }

  #readAudio(header: TimedTag): LadderInput {
    const tag = parseAudioTag(header.body);
    if (tag.kind === 'frame') return 'sound';
    if (tag.kind !== 'sequence-header' || this.audio?.header.body.equals(header.body)) return 'nothing';
    this.audio = { header, encode: !isLowComplexity(parseAacConfig(tag.config)) };
    return 'audio-header';
  }
}

function isLowComplexity({ codec }: AacConfig): boolean {
  return codec === 'mp4a.40.2';
}
