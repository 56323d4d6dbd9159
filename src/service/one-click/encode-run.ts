import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { FeedTap, FeedTapOptions } from '../capture/feed-tap.ts';
import type { Tracks } from '../capture/matroska.ts';
import { FlvReader } from '../flv/flv-file.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { sentenceOf } from '../lib/read-error.ts';
import { watchForSilence } from '../lib/silence-watch.ts';
import { watchForStall } from '../lib/stall-watch.ts';
import { isKeyframe, type MediaUnit } from '../media/media-unit.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';
import { type FfmpegEnd, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { FfmpegProgress } from '../media-tools/ffmpeg-progress.ts';
import type { Clock } from '../ports.ts';
import { parseMetadata } from '../rtmp/script-data.ts';
import { type CaptureTimes, stampUnit } from './stamp-unit.ts';

/** An ffmpeg that outputs nothing for this long after its first media is frozen: it or its driver hangs, or it was stopped. */
const defaultFrozenAfterMs = 5_000;

/** Takes an encode's output. */
export interface EncodeListener {
  onUnit: (unit: MediaUnit) => void;
  /** Called with ffmpeg's metadata, before its media. */
  onMetadata: (metadata: StreamMetadata) => void;
  /** `pid`: the ffmpeg that reports it. */
  onProgress: (progress: FfmpegProgress, pid: number | undefined) => void;
}

/** The feed to encode. */
export interface EncodedFeed extends CaptureTimes {
  tap: (options: FeedTapOptions) => Pick<FeedTap, 'close' | 'firstFrame'>;
}

export interface EncodeRunOptions extends EncodeListener {
  ffmpegPath: string;
  args: readonly string[];
  feed: EncodedFeed;
  /** Which of its tracks are encoded. */
  tracks: Tracks;
  clock: Clock;
  /** ffmpeg is killed if it has output neither a keyframe nor audio after this long. */
  startWithinMs: number;
  /** ffmpeg is killed if it outputs nothing for this long after its first media; 5 s by default. */
  frozenAfterMs?: number;
}

/** How an encode ended. `hadMedia`: its output was more than headers. */
export interface EncodeEnd extends FfmpegEnd {
  hadMedia: boolean;
  /** Why we ended it: its output was unreadable or had stopped. */
  endedFor: Extract<EncodeFailure, { code: 'unreadable' | 'frozen' }> | undefined;
}

/**
 * Runs one ffmpeg on a feed until it ends; its units have the feed's times. After `signal` aborts, ffmpeg ends within 1.5 s and the
 * listener isn't called.
 */
export async function runEncode(options: EncodeRunOptions, signal: AbortSignal): Promise<EncodeEnd> {
  const { ffmpegPath, args, feed, tracks, clock, onUnit, onMetadata, onProgress, startWithinMs } = options;
  const { frozenAfterMs = defaultFrozenAfterMs } = options;
  const file = new FlvReader();
  const units = new UnitReader({ timestampBits: 31 });
  let outputBytes = 0;
  let hadMedia = false;
  let endedFor: EncodeEnd['endedFor'];
  const take = (tag: FlvTag) => {
    const metadata = tag.kind === 'script' ? parseMetadata(tag.body) : undefined;
    if (metadata) onMetadata(metadata);
    const unit = units.readUnit(tag);
    // ffmpeg has no output before the tap's first input.
    if (unit === undefined || tap.firstFrame === undefined) return;
    hadMedia ||= unit.type !== 'config';
    if (isKeyframe(unit) || unit.type === 'audio') starting.stop();
    onUnit(stampUnit(unit, tap.firstFrame, feed, clock));
  };
  const stop = () => {
    tap.close();
    runHarmlessly(() => process.finish(), 'ending an ffmpeg');
  };
  const process = startFfmpeg(ffmpegPath, args, {
    onProgress: (progress) => {
      if (!signal.aborted) onProgress(progress, process.pid);
    },
    onOutput: [
      (bytes) => {
        outputBytes += bytes.length;
        if (signal.aborted || endedFor !== undefined) return;
        try {
          for (const tag of file.push(bytes)) take(tag);
        } catch (error) {
          endedFor = { code: 'unreadable', fault: sentenceOf(error) };
          stop();
        }
      },
    ],
  });
  const tap = feed.tap({ tracks, input: process.input });
  const killFrozen = (forMs: number) => {
    endedFor ??= { code: 'frozen', forMs };
    process.kill();
  };
  const starting = watchForSilence({ limitMs: startWithinMs, onSilence: () => killFrozen(startWithinMs) });
  const stopWatching = watchForStall({
    stallTimeoutMs: frozenAfterMs,
    readProgress: () => outputBytes,
    isWaiting: () => hadMedia && !signal.aborted,
    onStall: () => killFrozen(frozenAfterMs),
  });
  signal.addEventListener('abort', stop);
  const end = await process.ended;
  tap.close();
  signal.removeEventListener('abort', stop);
  starting.stop();
  stopWatching();
  return { ...end, hadMedia, endedFor };
}
