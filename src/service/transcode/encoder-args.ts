import type { EncoderName } from '../../shared/model/encoder.ts';

/** What an encoder is asked for. */
export interface EncodeTarget {
  bitrateBps: number;
  /** Undefined where the source does not say its rate. */
  fps: number | undefined;
  h264Profile: 'main' | 'high';
  h264Level: string;
  /** From keyframe to keyframe; undefined: only where they are forced. */
  gopFrames: number | undefined;
}

/** How ffmpeg is told to use one encoder. */
export interface EncoderArgs {
  /** Before the input: the device that the encoder works on. */
  device: string[];
  /** The end of the filter chain: pixels as the encoder takes them. */
  pixels: string;
  codec: (target: EncodeTarget) => string[];
}

/**
 * Every encoder at low latency: no B-frames, no look-ahead, a constant bitrate over a buffer of one second, and an IDR picture
 * at every keyframe: where they are forced, or every so many frames, and nowhere else.
 */
export const encoderArgs: Readonly<Record<EncoderName, EncoderArgs>> = {
  libx264: {
    device: [],
    pixels: 'format=yuv420p',
    // The bitrate is divided among so many frames a second; where that is not known, by their times, which holds each frame
    // back until the next has come.
    codec: (target) => [
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-x264-params', x264Rate(target)],
      ...common(target),
      ...['-level:v', target.h264Level, '-forced-idr', '1', '-sc_threshold', '0'],
    ],
  },
  h264_nvenc: {
    device: [],
    pixels: 'format=yuv420p',
    codec: (target) => [
      ...['-c:v', 'h264_nvenc', '-preset', 'p4', '-tune', 'ull', '-rc', 'cbr', '-zerolatency', '1', '-delay', '0'],
      ...common(target),
      ...['-forced-idr', '1', '-no-scenecut', '1'],
    ],
  },
  h264_qsv: {
    device: [],
    pixels: 'format=nv12',
    codec: (target) => [
      ...['-c:v', 'h264_qsv', '-preset', 'veryfast', '-async_depth', '1', '-look_ahead', '0'],
      ...common(target, 0xffff),
      ...['-forced_idr', '1'],
    ],
  },
  h264_vaapi: {
    device: ['-vaapi_device', '/dev/dri/renderD128'],
    pixels: 'format=nv12,hwupload',
    codec: (target) => ['-c:v', 'h264_vaapi', '-rc_mode', 'CBR', '-async_depth', '1', ...common(target)],
  },
  h264_amf: {
    device: [],
    pixels: 'format=nv12',
    codec: (target) => [
      ...['-c:v', 'h264_amf', '-usage', 'ultralowlatency', '-quality', 'speed', '-rc', 'cbr'],
      ...common(target),
      ...['-forced_idr', '1'],
    ],
  },
  h264_videotoolbox: {
    device: [],
    pixels: 'format=nv12',
    codec: (target) => ['-c:v', 'h264_videotoolbox', '-realtime', '1', '-allow_sw', '0', ...common(target)],
  },
};

function x264Rate({ fps }: EncodeTarget): string {
  return fps === undefined ? 'force-cfr=0' : `fps=${Math.round(fps * 1000)}/1000`;
}

/** `maxGopFrames`: as many as the encoder can count; longer than any broadcast, so that only forced keyframes are made. */
function common({ bitrateBps, h264Profile, gopFrames }: EncodeTarget, maxGopFrames = 100_000_000): string[] {
  const bitrate = String(bitrateBps);
  return [
    ...['-profile:v', h264Profile, '-b:v', bitrate, '-maxrate', bitrate, '-bufsize', bitrate],
    ...['-bf', '0', '-g', String(gopFrames ?? maxGopFrames)],
  ];
}
