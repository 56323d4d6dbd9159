import type { EncoderName } from '../../shared/model/encoder.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit, VideoUnit } from '../media/media-unit.ts';
import { type AudioConfig, isSameConfig } from '../media/track-config.ts';
import type { LadderBounds } from './ladder-bounds.ts';
import type { LadderOptions } from './ladder-options.ts';
import { areSameRenditions, type LadderRendition } from './ladder-rendition.ts';
import { type QueuedRun, RunQueue, type StartRun } from './run-queue.ts';
import { type SourceAudio, SourceParameters } from './source-parameters.ts';
import type { RunEnd } from './transcode-run.ts';

/** Viewers of an ending rendition wait at most this long for the media that its ffmpeg still holds; then they change to another one. */
const maxTailMs = 1_000;

/** The ffmpeg that is being fed, and what it makes. */
export interface CurrentRun {
  run: QueuedRun;
  renditions: readonly LadderRendition[];
  /** The configuration of the audio that it was told to encode; undefined where audio is passed on as it is. */
  encodedAudio: AudioConfig | undefined;
  /** Whether another ffmpeg of this ladder was still draining when it started. */
  overlaps: boolean;
}

export interface LadderFeedOptions
  extends Pick<LadderOptions, 'ffmpegPath' | 'canDecode' | 'renditions' | 'sourceFps' | 'closing'> {
  bounds: LadderBounds;
  /** The renditions to make from the next keyframe on. */
  wanted: () => readonly LadderRendition[];
  /** The encoder of the next ffmpeg. */
  encoder: () => EncoderName;
  onStart: (current: CurrentRun) => void;
  /** ffmpeg failed. `wasFed`: it was still being fed; else it was draining. */
  onFailed: (current: CurrentRun, end: Extract<RunEnd, { kind: 'failed' }>, wasFed: boolean) => void;
  /** This many frames were left out because ffmpeg did not take them in time. */
  onOverflow: (frames: number, renditions: readonly LadderRendition[]) => void;
  /** ffmpeg cannot decode the video, which is coded with `codec`; it is fed no longer. */
  onUndecodable: (codec: string) => void;
  startRun?: StartRun;
}

/**
 * Feeds a source to one ffmpeg after another. A keyframe starts the next one when the source's parameters or the wanted
 * renditions have changed, when the one before was lost, or when it has run for too long.
 */
export class LadderFeed {
  readonly #options: LadderFeedOptions;
  readonly #queue: RunQueue;
  readonly #source: SourceParameters;
  #timeline: number | undefined;
  #current: CurrentRun | undefined;
  /** The renditions that the newest ffmpeg makes, or made. */
  #made: readonly LadderRendition[] = [];
  /** The current ffmpeg is to be replaced at the next keyframe. */
  #isOutdated = false;
  /** The video's parameters have changed: frames before the next keyframe cannot be decoded. */
  #awaitsKeyframe = false;
  /** An ffmpeg was lost and no keyframe has arrived since: audio alone would make no rendition. */
  #isBroken = false;
  /** Set once the service closes: kills what is left. */
  #late: NodeJS.Timeout | undefined;

  constructor(options: LadderFeedOptions) {
    this.#options = options;
    options.closing?.addEventListener('abort', this.#hurry);
    this.#queue = new RunQueue(options.startRun);
    this.#source = new SourceParameters(options.canDecode);
  }

  /** The ffmpeg that is being fed; undefined until a keyframe starts one. */
  get current(): CurrentRun | undefined {
    return this.#current;
  }

  /** The frame rate of the source's video, where anything tells it. */
  get sourceFps(): number | undefined {
    return this.#source.video?.fps ?? this.#options.sourceFps?.();
  }

  /** Whether the current ffmpeg makes the wanted renditions; otherwise it is replaced at the next keyframe. */
  get makesWanted(): boolean {
    return areSameRenditions(this.#current?.renditions ?? [], this.#options.wanted());
  }

  /** Takes the next unit of the source. */
  push(unit: PlacedUnit): void {
    if (unit.timeline !== this.#timeline) this.#startTimeline(unit.timeline);
    switch (this.#source.read(unit)) {
      case 'video-config':
        this.#changeVideo();
        return;
      case 'audio-config':
        this.#changeAudio(unit);
        return;
      case 'keyframe':
        this.#pushKeyframe(unit as PlacedUnit & VideoUnit);
        return;
      case 'frame':
        if (!this.#awaitsKeyframe) this.#current?.run.push(unit);
        return;
      case 'audio':
        this.#pushAudio(unit);
        return;
      default:
        return;
    }
  }

  /** Ends these renditions, which are no longer wanted: now if their viewers would have to wait long, else at the next keyframe. */
  leave(renditions: readonly LadderRendition[]): void {
    const made = renditions.filter((rendition) => this.#made.includes(rendition));
    // A rendition that was never made ends too: its playlist then says so.
    this.#queue.leave(renditions.filter((rendition) => !made.includes(rendition)));
    if (made.length > 0 && this.#tailMs > maxTailMs) this.#leaveAtOnce(made);
    if (this.#options.wanted().length > 0) return;
    // Nothing is wanted, so there is no keyframe to wait for.
    this.#endCurrent();
    this.#leaveMade(this.#made);
  }

  /** Ends all renditions, after what has been fed so far. */
  leaveAll(): void {
    this.#queue.leave(this.#options.renditions);
  }

  /** Feeds the current ffmpeg no more: it has crashed. */
  lose(): void {
    this.#current = undefined;
    this.#isBroken = true;
  }

  /** The source has ended: resolves when everything is out, or after the bound. */
  async drain(): Promise<void> {
    this.#current = undefined;
    if (this.#options.closing?.aborted) this.#hurry();
    await this.#queue.drain(this.#options.bounds.drainMs);
    this.#stopHurrying();
  }

  /** Ends everything at once; may be called twice. */
  async kill(): Promise<void> {
    this.#current = undefined;
    this.#stopHurrying();
    await this.#queue.kill();
  }

  /** Counts from the moment the service closes, not from the end of the source, which other parts may delay. */
  readonly #hurry = () => {
    this.#late ??= setTimeout(
      () => runHarmlessly(() => this.#queue.kill(), 'ending the ffmpegs of a ladder'),
      this.#options.bounds.closeMs,
    );
  };

  #stopHurrying(): void {
    clearTimeout(this.#late);
    this.#options.closing?.removeEventListener('abort', this.#hurry);
  }

  #startTimeline(timeline: number): void {
    this.#endCurrent();
    this.#timeline = timeline;
    this.#isOutdated = false;
    this.#awaitsKeyframe = false;
    this.#isBroken = false;
  }

  #endCurrent(): void {
    const run = this.#current?.run;
    if (run === undefined) return;
    this.#current = undefined;
    runHarmlessly(() => run.end(this.#options.bounds.drainMs), 'ending an ffmpeg of a ladder');
  }

  #changeVideo(): void {
    const { format } = this.#source.video ?? {};
    this.#isOutdated = true;
    this.#awaitsKeyframe = true;
    if (format === undefined || this.#options.canDecode(format)) return;
    this.#endCurrent();
    this.#options.onUndecodable(format.name);
  }

  #changeAudio(announced: PlacedUnit): void {
    const { audio } = this.#source;
    if (audio === undefined) return;
    if (this.#current?.encodedAudio || audio.encode) this.#isOutdated = true;
    else if (this.#current) this.#current.run.push(announced);
    else this.#queue.pass(this.#options.wanted(), announced);
  }

  #pushAudio(unit: PlacedUnit): void {
    const { audio } = this.#source;
    if (audio === undefined) return;
    if (this.#current) {
      if (takesAudio(this.#current, audio)) this.#current.run.push(unit);
    } else if (!audio.encode && !this.#isBroken) {
      this.#queue.pass(this.#options.wanted(), unit);
    }
  }

  #pushKeyframe(keyframe: PlacedUnit & VideoUnit): void {
    const current = this.#current;
    const isAged = current !== undefined && keyframe.dts - current.run.startMs > this.#options.bounds.maxRunMs;
    if (current === undefined || this.#isOutdated || isAged || !this.makesWanted) {
      this.#endCurrent();
      this.#start(keyframe);
    }
    this.#current?.run.push(keyframe);
  }

  #start(keyframe: PlacedUnit & VideoUnit): void {
    const { ffmpegPath, bounds, onOverflow, onStart } = this.#options;
    const { video, audio } = this.#source;
    const renditions = this.#options.wanted();
    this.#leaveMade(this.#made.filter((rendition) => !renditions.includes(rendition)));
    if (video === undefined || renditions.length === 0) return;
    this.#isOutdated = false;
    this.#awaitsKeyframe = false;
    this.#isBroken = false;
    this.#made = renditions;
    const encodedAudio = audio?.encode ? audio.config : undefined;
    const overlaps = this.#queue.isRunning;
    const run = this.#queue.start({
      ffmpegPath: ffmpegPath(),
      encoder: this.#options.encoder(),
      renditions,
      timeline: keyframe.timeline,
      startMs: keyframe.pts,
      video,
      encodedAudio,
      sourceFps: this.sourceFps,
      maxQueueBytes: bounds.maxQueueBytes,
      onOverflow: (frames) => onOverflow(frames, renditions),
      onEnd: (end) => this.#ended(current, end),
    });
    if (audio !== undefined && encodedAudio === undefined) {
      const { timeline, timescale, dts } = keyframe;
      run.push({ type: 'config', timeline, timescale, dts, config: audio.config });
    }
    const current: CurrentRun = { run, renditions, encodedAudio, overlaps };
    this.#current = current;
    onStart(current);
  }

  #ended(current: CurrentRun, end: RunEnd): void {
    if (end.kind === 'failed') this.#options.onFailed(current, end, this.#current === current);
  }

  /** Ends renditions that are or were made, after what has been fed so far. */
  #leaveMade(renditions: readonly LadderRendition[]): void {
    this.#made = this.#made.filter((rendition) => !renditions.includes(rendition));
    if (renditions.length > 0) this.#queue.leave(renditions);
  }

  /** Ends renditions now; another ffmpeg makes the others from the next keyframe on. */
  #leaveAtOnce(renditions: readonly LadderRendition[]): void {
    this.#made = this.#made.filter((rendition) => !renditions.includes(rendition));
    this.#isOutdated = true;
    this.#queue.leaveAtOnce(renditions);
  }

  /** How much fed media the current ffmpeg hasn't output yet. */
  get #tailMs(): number {
    if (this.#current === undefined) return 0;
    const { lastFedMs, lastOutMs, startMs } = this.#current.run;
    return lastFedMs - (lastOutMs ?? startMs);
  }
}

/** Whether an ffmpeg was started for this audio. An ffmpeg that encodes audio would decode other parameters wrongly, or not at all. */
function takesAudio({ encodedAudio }: CurrentRun, { config, encode }: SourceAudio): boolean {
  return encode ? isSameConfig(encodedAudio, config) : encodedAudio === undefined;
}
