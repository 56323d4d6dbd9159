import type { EncodeSettings } from '../../shared/model/encode-settings.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { audioEncoderArgs, encoderArgs } from '../transcode/encoder-args.ts';
import { timestampOriginSeconds } from './stamp-unit.ts';

/** Frames from keyframe to keyframe. */
export function gopFramesOf({ fps, keyframeSeconds }: Pick<EncodeSettings, 'fps' | 'keyframeSeconds'>): number {
  return fps * keyframeSeconds;
}

/** How a feed's video is encoded on this computer. */
export interface VideoOptions {
  encoder: EncoderName;
  looksAhead: boolean;
  /** The video's current bitrate, at most the settings'. */
  bitrateBps: number;
}

/**
 * The whole argv of a one-click encode's video: a feed on stdin, video without B-frames at a constant bitrate, as FLV on stdout.
 * Progress (`-progress`) is on file descriptor 3; the end of the input ends it.
 *
 * Keyframes are whole GOPs apart in time, whichever frames are missing. The track's parameters allow for the settings' bitrate, so they
 * are the same at any lower one.
 *
 * It never contains a network address or a key, nor anything of the source.
 */
export function encodeVideoArgs(settings: EncodeSettings, { encoder, looksAhead, bitrateBps }: VideoOptions): string[] {
  const { width, height, fps, videoBitrateBps, keyframeSeconds } = settings;
  const { device, pixels, codec } = encoderArgs[encoder];
  return [
    ...common,
    ...device,
    ...input,
    ...['-map', '0:v:0', '-vf', pixels],
    ...codec({
      width,
      height,
      fps,
      bitrateBps,
      maxBitrateBps: videoBitrateBps,
      isForWeakDecoders: false,
      gopFrames: gopFramesOf(settings),
      looksAhead,
    }),
    ...['-force_key_frames', `expr:${keyframeGrid(keyframeSeconds)}`],
    ...output,
  ];
}

/**
 * A keyframe at the start of each interval. Counting keyframes (`n_forced`) would catch up after a gap: one for each interval it
 * skipped, on consecutive frames.
 */
function keyframeGrid(seconds: number): string {
  return `if(isnan(prev_forced_t),1,gte(t,(floor(prev_forced_t/${seconds})+1)*${seconds}))`;
}

/** The whole argv of a one-click encode's audio: stereo, otherwise as {@link encodeVideoArgs}. */
export function encodeAudioArgs({ audioBitrateBps }: Pick<EncodeSettings, 'audioBitrateBps'>): string[] {
  return [
    ...common,
    ...input,
    ...['-map', '0:a:0', ...audioEncoderArgs(String(audioBitrateBps)), '-ar', '48000', '-ac', '2'],
    ...output,
  ];
}

const common = ['-hide_banner', '-loglevel', 'warning', '-nostats', '-nostdin', '-progress', 'pipe:3', '-stats_period', '0.5'];
/** The header describes the tracks completely, so ffmpeg needn't analyse the media. */
const input = ['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0'];
const output = [
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-flvflags', 'no_duration_filesize', '-flush_packets', '1'],
  ...['-output_ts_offset', String(timestampOriginSeconds), '-f', 'flv', 'pipe:1'],
];
