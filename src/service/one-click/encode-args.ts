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
  /** Of the video now: at most that of the settings. */
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
 * A keyframe wherever a new interval begins. Counting them (`n_forced`) would make one for each interval that a gap has skipped, on
 * frame after frame.
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
/** The header says everything, so there is no analysis. */
const input = ['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0'];
const output = [
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-flvflags', 'no_duration_filesize', '-flush_packets', '1'],
  ...['-output_ts_offset', String(timestampOriginSeconds), '-f', 'flv', 'pipe:1'],
];
