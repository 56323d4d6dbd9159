import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Source } from '../../shared/model/live.ts';
import { encoderArgs } from '../transcode/encoder-args.ts';
import { findH264Level } from '../transcode/h264-level.ts';
import { captureMarkFilters, timestampOriginSeconds } from './capture-marks.ts';
import type { EncodeSettings } from './encode-settings.ts';
import type { EncodeTools } from './encode-tools.ts';
import { sourceArgs } from './source-args.ts';

/** How long ffmpeg holds one track back when the other pauses, in microseconds. Its default of ten seconds is too long for viewers. */
const maxInterleaveDelta = 500_000;
/** Seconds between keyframes in our own encodes: short, for quick starts and low latency. */
const keyframeSeconds = 1;

/** How a source is encoded on this computer. */
export interface EncodeOptions extends Pick<EncodeTools, 'clockFontPath' | 'marksCapture'> {
  encoder: EncoderName;
  looksAhead: boolean;
}

/**
 * The whole argv of a one-click encode: one source in real time, H.264 High without B-frames at a constant bitrate, and AAC-LC
 * stereo, as FLV on stdout. Progress (`-progress`) is on file descriptor 3; `q` on stdin ends it.
 *
 * With `marksCapture`, each frame is marked as it enters ({@link captureMarkFilters}).
 *
 * It never contains a network address or a key.
 */
export function encodeArgs(
  source: Source,
  settings: EncodeSettings,
  { encoder, looksAhead, clockFontPath, marksCapture }: EncodeOptions,
): string[] {
  const { inputs, maps, videoFilters } = sourceArgs(source, settings, clockFontPath);
  const { width, height, fps, videoBitrateBps } = settings;
  const { device, pixels, codec } = encoderArgs[encoder];
  const bitrateBps = videoBitrateBps;
  const filters = [
    ...(marksCapture ? captureMarkFilters : []),
    ...videoFilters,
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    `fps=${fps}`,
    pixels,
  ];
  return [
    ...['-hide_banner', '-loglevel', 'warning', '-nostats', '-progress', 'pipe:3', '-stats_period', '0.5'],
    ...device,
    ...inputs,
    ...maps,
    ...['-vf', filters.join(',')],
    ...codec({
      bitrateBps,
      fps,
      gopFrames: fps * keyframeSeconds,
      looksAhead,
      h264Profile: 'high',
      h264Level: findH264Level({ width, height, fps, bitrateBps }),
    }),
    ...['-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-flvflags', 'no_duration_filesize', '-flush_packets', '1'],
    ...['-max_interleave_delta', String(maxInterleaveDelta)],
    ...(marksCapture ? ['-output_ts_offset', String(timestampOriginSeconds)] : []),
    ...['-f', 'flv', 'pipe:1'],
  ];
}
