import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { encodeFlv } from './ffmpeg.ts';

/** A moving picture, by default of 4 s at 25 fps with a keyframe every second, and a tone. */
export interface SourceOptions {
  rate?: string;
  seconds?: number;
  gopFrames?: number;
  size?: string;
  filter?: string;
  x264?: string[];
  /** Undefined: no audio. */
  audio?: string[] | undefined;
}

const aac = ['-c:a', 'aac', '-b:a', '64k'];

/** ffmpeg's output for it, as a publisher would send it. */
export async function makeSource(options: SourceOptions = {}): Promise<FlvTag[]> {
  const { rate = '25', seconds = 4, gopFrames = 25, size = '320x180', filter = 'null', x264 = ['-bf', '0'] } = options;
  const audio = 'audio' in options ? options.audio : aac;
  return encodeFlv([
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`],
    ...(audio ? ['-f', 'lavfi', '-i', 'sine=sample_rate=48000'] : []),
    ...['-t', String(seconds), '-vf', filter, '-fps_mode', 'passthrough', '-enc_time_base:v', '1:1000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-sc_threshold', '0'],
    ...['-g', String(gopFrames), '-keyint_min', String(gopFrames), ...x264],
    ...(audio ?? []),
  ]);
}

/** Repeats these tags, of media of so many seconds, for as long as the test publishes them. */
export function* repeatTags(tags: readonly FlvTag[], seconds: number): Generator<FlvTag> {
  for (let round = 0; ; round += 1) yield* shiftTags(tags, round * seconds * 1000);
}

/** Shifts every timestamp, in 32 bits as FLV has them. */
export function shiftTags(tags: readonly FlvTag[], byMs: number): FlvTag[] {
  return tags.map((tag) => ({ ...tag, timestampMs: (tag.timestampMs + byMs) % 2 ** 32 }));
}
