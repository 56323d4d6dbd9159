import { aacFormat } from '../media/aac-format.ts';
import { av1Format } from '../media/av1-format.ts';
import { h264Format } from '../media/h264-format.ts';
import { hevcFormat } from '../media/hevc-format.ts';
import { opusFormat } from '../media/opus-format.ts';
import type { AudioFormat, VideoFormat } from '../media/track-config.ts';

/** The codecs that are carried; encoders that ask are told of these. */
export const videoFormats: readonly VideoFormat[] = [h264Format, hevcFormat, av1Format];
export const audioFormats: readonly AudioFormat[] = [aacFormat, opusFormat];

/** The one with a FourCC of Enhanced RTMP v2. */
export function findVideoFormat(fourCc: string): VideoFormat | undefined {
  return videoFormats.find((format) => format.fourCc === fourCc);
}

/** As {@link findVideoFormat}, for sound. */
export function findAudioFormat(fourCc: string): AudioFormat | undefined {
  return audioFormats.find((format) => format.fourCc === fourCc);
}
