import type { EncoderName } from '../../shared/model/encoder.ts';
import { findH264Level } from './h264-level.ts';

/** The video that an encoder is to make. */
export interface EncodeTarget {
  /** The size of the pictures. */
  width: number;
  height: number;
  /** Undefined if the source does not announce its rate. */
  fps: number | undefined;
  bitrateBps: number;
  /** The highest bitrate that the track may ever have: its parameters allow for it, and don't change at a lower one. */
  maxBitrateBps: number;
  /** Whether weak decoders must be able to play it. */
  isForWeakDecoders: boolean;
  /** Frames from keyframe to keyframe; undefined: keyframes are only made where they are forced. */
  gopFrames: number | undefined;
  /** Trades latency for better pictures: x264 plans {@link lookaheadFrames} ahead, and holds each frame back as long. */
  looksAhead: boolean;
}

/**
 * The frame rate that a source is taken to have if it announces none, a high one: its level must suffice, and its cost must not be
 * underestimated.
 */
export const highestAssumedFps = 60;
/** More frames gain little; these take a third of a second at 30 fps. */
const lookaheadFrames = 10;

/** ffmpeg's arguments for one encoder. */
export interface EncoderArgs {
  /** Before the input: the encoder's device. */
  device: string[];
  /** The end of the filter chain: the pixel format that the encoder takes. */
  pixels: string;
  codec: (target: EncodeTarget) => string[];
}

/**
 * Every encoder at low latency: no B-frames, no lookahead unless it is asked for, a constant bitrate over a buffer of one second.
 * Every keyframe is an IDR picture, and keyframes are made only where they are forced or at the end of a GOP.
 *
 * Why x264 has this preset: `docs/decisions/0015-x264-presets.md`.
 */
export const encoderArgs: Readonly<Record<EncoderName, EncoderArgs>> = {
  libx264: {
    device: [],
    pixels: 'format=yuv420p',
    // x264 divides the bitrate by the frame rate. If the rate is unknown it uses the frames' times, and holds each frame back until
    // the next one comes.
    codec: (target) => [
      ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-x264-params', x264Params(target)],
      ...common(target),
      ...['-level:v', findLevel(target), '-forced-idr', '1', '-sc_threshold', '0'],
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

function x264Params({ fps, looksAhead }: EncodeTarget): string {
  const rate = fps === undefined ? 'force-cfr=0' : `fps=${Math.round(fps * 1000)}/1000`;
  // The preset and the tune both switch the macroblock tree off, which needs these frames for its planning.
  return looksAhead ? `${rate}:rc-lookahead=${lookaheadFrames}:mbtree=1` : rate;
}

function findLevel({ width, height, fps = highestAssumedFps, maxBitrateBps }: EncodeTarget): string {
  return findH264Level({ width, height, fps, bitrateBps: maxBitrateBps });
}

/** `maxGopFrames` is the longest GOP that the encoder can count: longer than any broadcast, so that only forced keyframes are made. */
function common({ bitrateBps, isForWeakDecoders, gopFrames }: EncodeTarget, maxGopFrames = 100_000_000): string[] {
  const bitrate = String(bitrateBps);
  return [
    ...['-profile:v', isForWeakDecoders ? 'main' : 'high', '-b:v', bitrate, '-maxrate', bitrate, '-bufsize', bitrate],
    ...['-bf', '0', '-g', String(gopFrames ?? maxGopFrames)],
  ];
}

/**
 * ffmpeg's arguments for audio: AAC-LC from its own encoder, which every build has.
 *
 * @param bitrate as ffmpeg reads it: `160k`, or bits per second
 */
export function audioEncoderArgs(bitrate: string): string[] {
  return ['-c:a', 'aac', '-b:a', bitrate];
}
