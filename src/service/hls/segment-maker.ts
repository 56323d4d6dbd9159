import { createHash } from 'node:crypto';
import { median } from '../lib/median.ts';
import { audioTrackId, formatInitSegment, videoTimescale, videoTrackId } from '../media/fmp4-init.ts';
import { formatFragment } from '../media/fmp4-segment.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import type { AudioRun } from './audio-track.ts';
import type { InitSegment, PackagedPart, PackagedSegment, SegmentStart, SegmentTracks } from './packaged-segment.ts';
import type { PlaylistTargets } from './playlist-targets.ts';
import type { ProgramClock } from './program-clock.ts';
import type { OwnStart, PlacedStart } from './segment-placing.ts';
import type { VideoRun } from './video-track.ts';

/** The media of one part, before it is written. */
export interface PartMedia {
  video: VideoRun | undefined;
  audio: AudioRun | undefined;
  durationMs: number;
  /** See `SegmentPlace`. */
  shiftMs: number;
}

/** The facts that a segment begins with. */
export interface SegmentBeginning {
  configs: TrackConfigs;
  /** On the publisher's timeline. */
  startMs: number;
  /** The segment is the first of a new timeline. */
  newTimeline: boolean;
  targets: PlaylistTargets;
  /** {@link ProgramClock.offsetMs} when the segment was decided on. */
  clockOffsetMs: number | undefined;
  /** Gives the segment its place. */
  place: (own: OwnStart) => PlacedStart;
}

/** The codec configurations of a segment's tracks. */
export interface TrackConfigs {
  video?: VideoConfig;
  audio?: AudioConfig;
}

/** The segment that is being made. */
interface OpenMedia {
  start: SegmentStart;
  parts: PackagedPart[];
  /** Samples of all tracks. */
  samples: number;
  /** {@link VideoRun.frameTicks} of all its parts. */
  frameTicks: number[];
}

/** Writes segments one after another: init segments, fragments and discontinuities. */
export class SegmentMaker {
  readonly #clock: ProgramClock;
  readonly #onTracks: (tracks: SegmentTracks) => void;
  #init: InitSegment | undefined;
  #configs: TrackConfigs = {};
  #sequenceNumber = 0;
  #open: (Pick<PackagedSegment, 'sizeBytes' | 'videoFrames' | 'videoBytes'> & OpenMedia) | undefined;

  /** `clock` dates its segments; `onTracks` is called with their tracks, whenever those change. */
  constructor(clock: ProgramClock, onTracks: (tracks: SegmentTracks) => void = () => {}) {
    this.#clock = clock;
    this.#onTracks = onTracks;
  }

  /** Whether the newest segment has audio. */
  get hadAudio(): boolean {
    return this.#configs.audio !== undefined;
  }

  /** The codec configurations of the newest segment. */
  get configs(): TrackConfigs {
    return this.#configs;
  }

  /** How much of the open segment has been made. */
  get open(): { sizeBytes: number; samples: number } {
    return this.#open ?? { sizeBytes: 0, samples: 0 };
  }

  /** Whether no segment has begun yet. */
  get untouched(): boolean {
    return this.#init === undefined;
  }

  begin({ configs, startMs, newTimeline, targets, clockOffsetMs, place }: SegmentBeginning): SegmentStart {
    const first = this.#init === undefined;
    const sameTracks = this.#configs.video === configs.video && this.#configs.audio === configs.audio;
    const init = this.#init !== undefined && sameTracks ? this.#init : this.#makeInit(configs);
    const discontinuity = first || newTimeline || !sameTracks;
    const placed = place({ discontinuity, programDateTimeMs: this.#clock.date(startMs, clockOffsetMs) });
    const start: SegmentStart = { init, startMs, targets, ...placed };
    this.#open = { start, parts: [], sizeBytes: 0, samples: 0, videoFrames: 0, videoBytes: 0, frameTicks: [] };
    return start;
  }

  /** The next part of the segment that was begun. */
  addPart({ video, audio, durationMs, shiftMs }: PartMedia): PackagedPart {
    const open = this.#open;
    if (open === undefined) throw new Error('A part needs a segment that was begun.');
    const tracks = [
      ...(video ? [{ trackId: videoTrackId, ...move(video, shiftMs, videoTimescale) }] : []),
      ...(audio ? [{ trackId: audioTrackId, ...move(audio, shiftMs, audio.config.timescale) }] : []),
    ];
    this.#sequenceNumber += 1;
    const bytes = formatFragment(this.#sequenceNumber, tracks, { segmentStarts: open.parts.length === 0 });
    const part: PackagedPart = {
      bytes,
      durationSeconds: durationMs / 1000,
      independent: video?.independent ?? open.start.init.tracks.video === undefined,
      ...(video?.arrivedMs !== undefined && { arrivedMs: video.arrivedMs }),
    };
    open.parts.push(part);
    open.sizeBytes += bytes.length;
    open.samples += (video?.samples.length ?? 0) + (audio?.samples.length ?? 0);
    open.videoFrames += video?.samples.length ?? 0;
    open.videoBytes += video?.samples.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
    open.frameTicks.push(...(video?.frameTicks ?? []));
    return part;
  }

  /** The segment is whole. */
  complete(durationMs: number): PackagedSegment {
    const open = this.#open;
    if (open === undefined) throw new Error('Only a segment that was begun can be completed.');
    this.#open = undefined;
    this.#clock.follow(open.start.programDateTimeMs, durationMs);
    const { start, parts, sizeBytes, videoFrames, videoBytes, frameTicks } = open;
    const typicalFps = findTypicalFps(frameTicks);
    return { ...start, parts, sizeBytes, durationSeconds: durationMs / 1000, videoFrames, videoBytes, typicalFps };
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

/** Fewer frames don't tell a rate. */
const leastFrames = 8;

/** Uses the median of the durations, so that a burst after a hole doesn't raise the rate. */
function findTypicalFps(frameTicks: readonly number[]): number {
  const typicalTicks = frameTicks.length < leastFrames ? undefined : median(frameTicks);
  return typicalTicks ? videoTimescale / typicalTicks : 0;
}

/** Moves media in time, but not before 0. */
function move<Run extends VideoRun | AudioRun>(run: Run, byMs: number, timescale: number): Run {
  return { ...run, baseDecodeTime: Math.max(run.baseDecodeTime + Math.round((byMs * timescale) / 1000), 0) };
}

function describeTracks({ video, audio }: TrackConfigs): SegmentTracks {
  const tracks: SegmentTracks = {};
  if (video !== undefined) {
    const { codec, width, height, sampleAspect, transfer, hasRareProfile, fps } = video;
    const displayWidth = Math.round((width * sampleAspect.horizontal) / sampleAspect.vertical);
    tracks.video = {
      codec,
      width: displayWidth,
      height,
      ...(transfer !== undefined && { transfer }),
      ...(hasRareProfile && { hasRareProfile }),
      ...(fps !== undefined && { fps }),
    };
  }
  if (audio !== undefined) {
    tracks.audio = { codec: audio.codec, sampleRateHz: audio.sampleRateHz, channels: audio.channels };
  }
  return tracks;
}
