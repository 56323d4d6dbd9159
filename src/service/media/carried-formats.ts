import { aacFormat } from './aac-format.ts';
import { av1Format } from './av1-format.ts';
import { h264Format } from './h264-format.ts';
import { hevcFormat } from './hevc-format.ts';
import { opusFormat } from './opus-format.ts';
import type { AudioFormat, VideoFormat } from './track-config.ts';

/** The supported codecs. The reply to `connect` lists the same ones. */
export const videoFormats: readonly VideoFormat[] = [h264Format, hevcFormat, av1Format];
export const audioFormats: readonly AudioFormat[] = [aacFormat, opusFormat];

/** Finds a video format by its Enhanced RTMP v2 FourCC. */
export function findVideoFormat(fourCc: string): VideoFormat | undefined {
  return videoFormats.find((format) => format.fourCc === fourCc);
}

/** Finds an audio format by its Enhanced RTMP v2 FourCC. */
export function findAudioFormat(fourCc: string): AudioFormat | undefined {
  return audioFormats.find((format) => format.fourCc === fourCc);
}
