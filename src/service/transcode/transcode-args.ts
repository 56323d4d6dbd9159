import type { EncoderName } from '../../shared/model/encoder.ts';
import { bitrateBps, type Profile } from '../../shared/model/profile.ts';
import type { VideoConfig, VideoFormat } from '../media/track-config.ts';
import { outputUrl, progressUrl } from '../media-tools/ffmpeg-process.ts';
import { toStereo } from '../media-tools/to-stereo.ts';
import { audioEncoderArgs, encoderArgs } from './encoder-args.ts';
import { fitRendition, type PictureShape } from './rendition-fit.ts';

export interface TranscodeArgsOptions {
  encoder: EncoderName;
  /** At least one; all of the same `fps`. */
  profiles: readonly Profile[];
  source: PictureShape & Pick<VideoConfig, 'mayBeInterlaced'> & { format: Pick<VideoFormat, 'reorders'> };
  /** The rate that the source announces. */
  sourceFps: number | undefined;
  /** Audio is encoded too, to one more output after the profiles'. */
  encodeAudio: boolean;
}

/** Renditions with fewer lines are for weak decoders. */
const strongDecoderLines = 480;

/**
 * The whole argv of a ladder: FLV on stdin, decoded once, and one FLV output per profile with video only (audio that is copied does
 * not pass through ffmpeg). Progress (`-progress`) is on file descriptor 3. The end of the input ends it.
 *
 * Timestamps are kept. Keyframes are made exactly where the source has them.
 */
export function transcodeArgs({ encoder, profiles, source, sourceFps, encodeAudio }: TranscodeArgsOptions): string[] {
  const { device, pixels, codec } = encoderArgs[encoder];
  const fps = profiles[0]?.fps ?? 0;
  const scales = profiles.map((profile, index) => {
    const { scaled, padded } = fitRendition(source, profile);
    const fills = scaled.width === padded.width && scaled.height === padded.height;
    const pad = fills ? [] : [`pad=${padded.width}:${padded.height}:(ow-iw)/2:(oh-ih)/2`];
    const filters = [`scale=${scaled.width}:${scaled.height}:out_range=tv`, ...pad, 'setsar=1', pixels];
    return `[s${index}]${filters.join(',')}[v${index}]`;
  });
  const split = `split=${profiles.length}${profiles.map((_, index) => `[s${index}]`).join('')}`;
  // The filter delays each picture until the next one, so it is left out for sources without fields. Frames without fields pass unchanged.
  const deinterlace = source.mayBeInterlaced ? ['yadif=deint=interlaced'] : [];
  const graph = [`[0:v:0]${[...deinterlace, ...rateFilters(fps), split].join(',')}`, ...scales].join(';');
  const outputs = profiles.flatMap((profile, index) => {
    const { padded } = fitRendition(source, profile);
    const bitrate = bitrateBps(profile.bitrate);
    return [
      ...['-map', `[v${index}]`],
      ...codec({
        ...padded,
        fps: fps || sourceFps,
        bitrateBps: bitrate,
        maxBitrateBps: bitrate,
        isForWeakDecoders: padded.height < strongDecoderLines,
        gopFrames: undefined,
        // Otherwise renditions would lag behind their source, and players switch between them at the live edge.
        looksAhead: false,
      }),
      // Otherwise the encoder counts frames, and times are rounded to the frame rate that ffmpeg guesses.
      ...['-enc_time_base', '1:1000', '-force_key_frames', 'source'],
      ...flvOutput(index),
    ];
  });
  const audio = ['-map', '0:a:0', ...audioEncoderArgs('160k'), '-af', toStereo, ...flvOutput(profiles.length)];
  return [
    ...['-hide_banner', '-loglevel', 'warning', '-nostats', '-nostdin', '-progress', progressUrl, '-stats_period', '0.5'],
    ...device,
    // The headers describe the tracks completely, so skip the analysis. Decoding several frames in parallel would hold them back.
    ...['-copyts', '-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0', '-thread_type', 'slice'],
    // libdav1d, which decodes AV1, needs this flag to stop holding frames back. Reordered frames have to be held back.
    ...(source.format.reorders ? [] : ['-flags:v', 'low_delay']),
    ...['-f', 'flv', '-i', 'pipe:0'],
    ...['-filter_complex', graph],
    ...outputs,
    ...(encodeAudio ? audio : []),
  ];
}

/**
 * One frame for every tick of a fixed rate. The `fps` filter alone may drop a keyframe in favour of the frame beside it, so first one
 * frame per tick is selected, always the keyframe if there is one. `eof_action=pass` keeps the last frame, which may be a whole
 * segment, even if its end is rounded to its start.
 */
function rateFilters(fps: number): string[] {
  if (fps === 0) return [];
  const newTick = `gt(round(t*${fps})\\,round(prev_selected_t*${fps}))`;
  return [`select=key+isnan(prev_selected_t)+${newTick}`, `fps=${fps}:eof_action=pass`];
}

function flvOutput(index: number): string[] {
  return ['-flvflags', 'no_duration_filesize', '-flush_packets', '1', '-f', 'flv', outputUrl(index)];
}
