import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import { FlvReader } from '../flv/flv-file.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { isKeyframe, type MediaUnit } from '../media/media-unit.ts';
import { type FfmpegEnd, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { FfmpegProgress } from '../media-tools/ffmpeg-progress.ts';
import type { Clock } from '../ports.ts';
import { parseMetadata, type StreamMetadata } from '../rtmp/stream-metadata.ts';
import { CaptureStamper } from './capture-stamper.ts';

/** Who takes what comes out of an encode. */
export interface EncodeListener {
  onUnit: (unit: MediaUnit) => void;
  /** What ffmpeg announces about the stream before its media. */
  onMetadata: (metadata: StreamMetadata) => void;
  onProgress: (progress: FfmpegProgress) => void;
}

export interface EncodeRunOptions extends EncodeListener {
  ffmpegPath: string;
  args: readonly string[];
  /** The args make ffmpeg mark each frame as it is captured. */
  marksCapture: boolean;
  clock: Clock;
  /** ffmpeg is killed if it has put out no keyframe after this long; undefined: it may take any time. */
  firstKeyframeWithinMs: number | undefined;
}

/** How an encode ended. `hadMedia`: it had put something out. */
export interface EncodeEnd extends FfmpegEnd {
  hadMedia: boolean;
  /** What it put out was not what it should be. */
  unreadable: Extract<EncodeFailure, { code: 'unreadable' }> | undefined;
}

/** Runs one ffmpeg until it ends. When `signal` aborts, it is ended within 1.5 s, and its listener hears nothing any more. */
export async function runEncode(options: EncodeRunOptions, signal: AbortSignal): Promise<EncodeEnd> {
  const { ffmpegPath, args, marksCapture, clock, onUnit, onMetadata, onProgress, firstKeyframeWithinMs } = options;
  const stamper = marksCapture ? new CaptureStamper({ clock, onUnit }) : undefined;
  const file = new FlvReader();
  const units = new UnitReader();
  let hadMedia = false;
  let unreadable: EncodeEnd['unreadable'];
  const take = (tag: FlvTag) => {
    hadMedia = true;
    const metadata = tag.kind === 'script' ? parseMetadata(tag.body) : undefined;
    if (metadata) onMetadata(metadata);
    const unit = units.readUnit(tag);
    if (unit === undefined) return;
    if (isKeyframe(unit)) clearTimeout(hanging);
    if (stamper) stamper.push(unit);
    else onUnit(unit);
  };
  const stop = () => runHarmlessly(() => process.stop(), 'ending an ffmpeg');
  const process = startFfmpeg(ffmpegPath, args, {
    onProgress: (progress) => {
      if (!signal.aborted) onProgress(progress);
    },
    onOutput: [
      (bytes) => {
        if (signal.aborted || unreadable !== undefined) return;
        try {
          for (const tag of file.push(bytes)) take(tag);
        } catch (error) {
          unreadable = { code: 'unreadable', fault: error instanceof Error ? error.message : String(error) };
          stop();
        }
      },
      ...(stamper ? [(bytes: Buffer) => signal.aborted || stamper.mark(bytes)] : []),
    ],
  });
  const hanging = firstKeyframeWithinMs === undefined ? undefined : setTimeout(() => process.kill(), firstKeyframeWithinMs);
  signal.addEventListener('abort', stop);
  const end = await process.ended;
  signal.removeEventListener('abort', stop);
  clearTimeout(hanging);
  return { ...end, hadMedia, unreadable };
}
