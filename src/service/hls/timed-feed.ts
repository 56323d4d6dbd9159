import type { AacConfig } from '../media/aac.ts';
import { formatAudioFrame, formatAudioHeader } from '../media/flv-audio.ts';
import { formatVideoFrame, formatVideoHeader } from '../media/flv-video.ts';
import type { H264Config } from '../media/h264.ts';
import type { TimedTag } from '../media/timed-tag.ts';
import type { VideoInput } from './video-track.ts';

type Place = Pick<TimedTag, 'timeline' | 'timeMs'>;

/** Hands a source's media on as tags in their places, what stands in for a track too: each after the parameters it is coded with. */
export class TimedFeed {
  readonly #onTimed: (tag: TimedTag) => void;
  #video: H264Config | undefined;
  #audio: AacConfig | undefined;

  constructor(onTimed: (tag: TimedTag) => void) {
    this.#onTimed = onTimed;
  }

  /** Pictures that follow are coded with this; told once. */
  tellVideoConfig(config: H264Config, place: Place): void {
    if (config === this.#video) return;
    this.#video = config;
    this.#onTimed({ kind: 'video', ...place, body: formatVideoHeader(config) });
  }

  /** Sound that follows is coded with this; told once. */
  tellAudioConfig(config: AacConfig, place: Place): void {
    if (config === this.#audio) return;
    this.#audio = config;
    this.#onTimed({ kind: 'audio', ...place, body: formatAudioHeader(config) });
  }

  /** A picture, with the tag it came in if it came in one. */
  tellPicture(frame: VideoInput, timeline: number, body = formatVideoFrame(frame)): void {
    const place = { timeline, timeMs: frame.timeMs };
    this.tellVideoConfig(frame.config, place);
    this.#onTimed({ kind: 'video', ...place, body });
  }

  /** An AAC frame, with the tag it came in if it came in one. */
  tellSound(config: AacConfig, place: Place, data: Buffer, body = formatAudioFrame(data)): void {
    this.tellAudioConfig(config, place);
    this.#onTimed({ kind: 'audio', ...place, body });
  }
}
