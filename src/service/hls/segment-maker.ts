import { createHash } from 'node:crypto';
import type { AacConfig } from '../media/aac.ts';
import { audioTrackId, formatInitSegment, videoTrackId } from '../media/fmp4-init.ts';
import { formatMediaSegment } from '../media/fmp4-segment.ts';
import type { H264Config } from '../media/h264.ts';
import type { AudioRun } from './audio-track.ts';
import type { InitSegment, PackagedSegment, SegmentTracks } from './packaged-segment.ts';
import type { VideoRun } from './video-track.ts';

/** The media of one segment, before it is written. */
export interface SegmentMedia {
  video: VideoRun | undefined;
  audio: AudioRun | undefined;
  startMs: number;
  endMs: number;
  /** The time line is a new one. */
  newTimeline: boolean;
}

interface TrackConfigs {
  video?: H264Config;
  audio?: AacConfig;
}

/** Writes segments one after another: init segments, sequence numbers, discontinuities and wall clock times. */
export class SegmentMaker {
  readonly #onTracks: (tracks: SegmentTracks) => void;
  #init: InitSegment | undefined;
  #configs: TrackConfigs = {};
  #nextDateTimeMs: number;
  #sequenceNumber = 0;

  /** `startMs` is the wall clock of the first segment's start, epoch milliseconds. */
  constructor(startMs: number, onTracks: (tracks: SegmentTracks) => void) {
    this.#nextDateTimeMs = startMs;
    this.#onTracks = onTracks;
  }

  /** Whether the segment before had sound. */
  get hadAudio(): boolean {
    return this.#configs.audio !== undefined;
  }

  /** The wall clock goes on by this long before the next segment. */
  skip(milliseconds: number): void {
    this.#nextDateTimeMs += milliseconds;
  }

  make({ video, audio, startMs, endMs, newTimeline }: SegmentMedia): PackagedSegment {
    const sameTracks = this.#configs.video === video?.config && this.#configs.audio === audio?.config;
    const init =
      this.#init !== undefined && sameTracks
        ? this.#init
        : this.#makeInit({ ...(video && { video: video.config }), ...(audio && { audio: audio.config }) });
    const first = this.#sequenceNumber === 0;
    this.#sequenceNumber += 1;
    const tracks = [
      ...(video ? [{ trackId: videoTrackId, ...video }] : []),
      ...(audio ? [{ trackId: audioTrackId, ...audio }] : []),
    ];
    const bytes = formatMediaSegment(this.#sequenceNumber, tracks);
    const durationSeconds = (endMs - startMs) / 1000;
    const programDateTimeMs = this.#nextDateTimeMs;
    this.#nextDateTimeMs += endMs - startMs;
    return {
      init,
      bytes,
      durationSeconds,
      programDateTimeMs,
      discontinuity: first || newTimeline || !sameTracks,
      independent: video?.samples[0]?.sync !== false,
      videoFrames: video?.samples.length ?? 0,
      bitrateBps: Math.round((bytes.length * 8) / durationSeconds),
    };
  }

  #makeInit(configs: TrackConfigs): InitSegment {
    this.#configs = configs;
    const bytes = formatInitSegment(configs);
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const tracks = describeTracks(configs);
    this.#init = { id, bytes, tracks };
    this.#onTracks(tracks);
    return this.#init;
  }
}

function describeTracks({ video, audio }: TrackConfigs): SegmentTracks {
  const tracks: SegmentTracks = {};
  if (video !== undefined) {
    const { codec, width, height, sampleAspect, fps } = video;
    const displayWidth = Math.round((width * sampleAspect.horizontal) / sampleAspect.vertical);
    tracks.video = { codec, width: displayWidth, height, ...(fps !== undefined && { fps }) };
  }
  if (audio !== undefined) {
    tracks.audio = { codec: audio.codec, sampleRateHz: audio.sampleRateHz, channels: audio.channels };
  }
  return tracks;
}
