import type { EncoderName } from '../../shared/model/encoder.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit, VideoUnit } from '../media/media-unit.ts';
import { CrashPolicy } from './crash-policy.ts';
import { defaultLadderBounds, type LadderBounds } from './ladder-bounds.ts';
import type { LadderOptions } from './ladder-options.ts';
import { LadderVoice } from './ladder-voice.ts';
import { ownProcessors, type Processors } from './processors.ts';
import { RenditionSchedule } from './rendition-schedule.ts';
import { ReturnJudge } from './return-judge.ts';
import { RunQueue } from './run-queue.ts';
import { RunWatch } from './run-watch.ts';
import { SourceParameters } from './source-parameters.ts';
import type { RunEnd, TranscodeRun } from './transcode-run.ts';

/** Viewers of a rendition that is left out wait no longer for what its ffmpeg still has: they change to another one. */
const maxTailMs = 1_000;

/** The ffmpeg that is being fed, and which profiles it makes. */
interface Current {
  run: TranscodeRun;
  profileIndexes: readonly number[];
  encodesAudio: boolean;
  watch: RunWatch;
}

/**
 * Makes the renditions of one live session from the units of its source, whatever becomes of single ffmpegs: each is replaced at
 * a keyframe when the source changes, when it crashes, or when another set of renditions is to be made.
 *
 * It holds no clock but a bound on draining: {@link tick}, once a second, has it look after its ffmpeg.
 */
export class Ladder {
  readonly #options: LadderOptions;
  readonly #bounds: LadderBounds;
  readonly #schedule: RenditionSchedule;
  readonly #queue: RunQueue;
  readonly #voice: LadderVoice;
  readonly #processors: Processors;
  readonly #room: ReturnJudge;
  readonly #source: SourceParameters;
  #timeline: number | undefined;
  #current: Current | undefined;
  /** What the newest ffmpeg makes, or made. */
  #made: readonly number[] = [];
  /** The current ffmpeg is to be replaced at the next keyframe. */
  #outdated = false;
  /** The video's parameters have changed: what comes before a keyframe cannot be decoded. */
  #undecodable = false;
  /** An ffmpeg crashed and no keyframe has come since: sound alone would not be a rendition. */
  #broken = false;
  readonly #crashes: CrashPolicy;
  #encoder: EncoderName;
  #state: 'open' | 'given-up' | 'closed' = 'open';
  #droppedFrames = 0;

  constructor(options: LadderOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? defaultLadderBounds;
    this.#schedule = new RenditionSchedule(options.profiles, this.#bounds);
    this.#queue = new RunQueue(options);
    this.#encoder = options.encoder;
    this.#source = new SourceParameters(options.canDecode);
    this.#crashes = new CrashPolicy(this.#bounds);
    this.#voice = new LadderVoice(options.profiles, options.onEvent);
    this.#processors = options.processors ?? ownProcessors;
    this.#room = new ReturnJudge(options.profiles, this.#processors, this.#bounds.roomMs);
  }

  /** What each profile's rendition is doing, by index. */
  get renditions() {
    const running = this.#current?.run.lastOutMs === undefined ? [] : this.#current.profileIndexes;
    return this.#schedule.describe(running, this.#state === 'given-up');
  }

  /** How far the newest pictures that came out are behind those that went in. */
  get lagMs(): number | undefined {
    const { lastFedMs, lastOutMs } = this.#current?.run ?? {};
    return lastFedMs === undefined || lastOutMs === undefined ? undefined : Math.max(lastFedMs - lastOutMs, 0);
  }

  /** Bytes that wait for ffmpeg to take them. */
  get queuedBytes(): number {
    return this.#current?.run.queuedBytes ?? 0;
  }

  /** Frames that were left out because ffmpeg did not take them in time. */
  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  /** Takes the next unit of the source. It waits for nothing and throws nothing. */
  push(unit: PlacedUnit): void {
    if (this.#state !== 'open') return;
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
        if (!this.#undecodable) this.#current?.run.push(unit);
        return;
      case 'sound':
        this.#pushSound(unit);
        return;
      default:
        return;
    }
  }

  /** Makes all but these from the next keyframe on, by index: their owner does not want them for now. */
  leaveOut(profileIndexes: readonly number[]): void {
    if (this.#state !== 'open') return;
    const { added, takenBack } = this.#schedule.leaveOut(profileIndexes);
    if (added.length > 0) this.#voice.leftOut(added);
    if (takenBack.length > 0) this.#voice.takenBack(takenBack);
    // One that has never been made is missing too.
    this.#queue.leave(added.filter((index) => !this.#made.includes(index)));
    if (this.#tailMs > maxTailMs) this.#leaveAtOnce(added.filter((index) => this.#made.includes(index)));
    this.#endWithoutAny();
  }

  /** Looks after ffmpeg: called once a second. */
  tick(): void {
    const now = this.#options.clock.monotonicMs();
    if (this.#state !== 'open') return;
    const isWell = this.#checkSpeed(now);
    if (this.#schedule.isWhole) {
      this.#room.rest();
      return;
    }
    this.#room.measure(now);
    const returned = this.#schedule.restore(now, (index) => isWell && this.#room.hasRoom(index));
    if (returned !== undefined) this.#voice.returned(returned);
  }

  /** The broadcast is over: resolves when everything that was fed has come out, at the latest after the drain bound. */
  async drain(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    this.#current = undefined;
    await this.#queue.drain(this.#bounds, this.#options.closing);
  }

  /** Ends everything at once; may be called twice. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    this.#current = undefined;
    await this.#queue.kill();
  }

  #startTimeline(timeline: number): void {
    this.#endCurrent();
    this.#timeline = timeline;
    this.#outdated = false;
    this.#undecodable = false;
    this.#broken = false;
  }

  #endCurrent(): void {
    const run = this.#current?.run;
    if (run === undefined) return;
    this.#current = undefined;
    runHarmlessly(() => run.end(this.#bounds.drainMs), 'ending an ffmpeg of a ladder');
  }

  #changeVideo(): void {
    const { format } = this.#source.video ?? {};
    this.#outdated = true;
    this.#undecodable = true;
    if (format === undefined || this.#options.canDecode(format)) return;
    this.#endCurrent();
    this.#giveUp(() => this.#voice.undecodable(format.name));
  }

  /** Nothing is made any more. */
  #giveUp(tell: () => void): void {
    this.#state = 'given-up';
    tell();
    this.#queue.leave([...this.#options.profiles.keys()]);
  }

  #changeAudio(announced: PlacedUnit): void {
    const { audio } = this.#source;
    if (audio === undefined) return;
    if (this.#current?.encodesAudio || audio.encode) this.#outdated = true;
    else if (this.#current) this.#current.run.push(announced);
    else this.#queue.pass(this.#schedule.active, announced);
  }

  #pushSound(unit: PlacedUnit): void {
    const { audio } = this.#source;
    if (audio === undefined) return;
    const fits = this.#current?.encodesAudio === audio.encode;
    if (this.#current) {
      if (fits) this.#current.run.push(unit);
    } else if (!audio.encode && !this.#broken) {
      this.#queue.pass(this.#schedule.active, unit);
    }
  }

  #pushKeyframe(keyframe: PlacedUnit & VideoUnit): void {
    const current = this.#current;
    const active = this.#schedule.active;
    const isAged = current !== undefined && keyframe.dts - current.run.startMs > this.#bounds.maxRunMs;
    const isOther = current !== undefined && current.profileIndexes.join() !== active.join();
    if (current === undefined || this.#outdated || isAged || isOther) {
      this.#endCurrent();
      this.#start(keyframe, active);
    }
    this.#current?.run.push(keyframe);
  }

  #start(keyframe: PlacedUnit & VideoUnit, profileIndexes: readonly number[]): void {
    const { ffmpegPath, profiles, clock, sourceFps } = this.#options;
    const { video, audio } = this.#source;
    this.#leave(this.#made.filter((index) => !profileIndexes.includes(index)));
    if (video === undefined || profileIndexes.length === 0) return;
    this.#outdated = false;
    this.#undecodable = false;
    this.#broken = false;
    this.#made = profileIndexes;
    const run = this.#queue.start({
      ffmpegPath,
      encoder: this.#encoder,
      profiles: profileIndexes.flatMap((index) => profiles[index] ?? []),
      profileIndexes,
      timeline: keyframe.timeline,
      startMs: keyframe.pts,
      video,
      encodedAudio: audio?.encode === true ? audio.config : undefined,
      sourceFps: video.fps ?? sourceFps?.(),
      maxQueueBytes: this.#bounds.maxQueueBytes,
      onOverflow: (frames) => this.#overflowed(frames, profileIndexes),
      onEnd: (end) => this.#ended(run, end, profileIndexes),
    });
    if (audio !== undefined && !audio.encode) {
      const { timeline, timescale, dts } = keyframe;
      run.push({ type: 'config', timeline, timescale, dts, config: audio.config });
    }
    this.#current = {
      run,
      profileIndexes,
      encodesAudio: audio?.encode === true,
      watch: new RunWatch(run, this.#bounds, clock.monotonicMs()),
    };
    this.#voice.started(profileIndexes);
  }

  /** These are not made from here on. */
  #leave(profileIndexes: readonly number[]): void {
    this.#made = this.#made.filter((index) => !profileIndexes.includes(index));
    if (profileIndexes.length > 0) this.#queue.leave(profileIndexes);
  }

  /** These are not made any more, nor waited for; another ffmpeg makes the others from the next keyframe on. */
  #leaveAtOnce(profileIndexes: readonly number[]): void {
    if (profileIndexes.length === 0) return;
    this.#made = this.#made.filter((index) => !profileIndexes.includes(index));
    this.#outdated = true;
    this.#queue.leaveAtOnce(profileIndexes);
  }

  /** How much of what was fed to the current ffmpeg has not come out. */
  get #tailMs(): number {
    if (this.#current === undefined) return 0;
    const { lastFedMs, lastOutMs, startMs } = this.#current.run;
    return lastFedMs - (lastOutMs ?? startMs);
  }

  /** Looks how the current ffmpeg keeps up, and does something where it does not; says whether all is well. */
  #checkSpeed(now: number): boolean {
    const current = this.#current;
    if (current === undefined) return this.#schedule.active.length === 0;
    const speed = current.watch.check(now);
    // Hardware that has never given a picture hangs: fewer renditions would not help it.
    const hangs = speed === 'slow' && this.#encoder !== 'libx264' && current.run.lastOutMs === undefined;
    if (speed === 'stalled' || hangs) {
      current.run.kill();
      this.#crashed(current.run, { failure: { code: 'stuck' }, stderr: [] }, current.profileIndexes);
      return false;
    }
    // A set that is about to be replaced is not judged again.
    const isAsked = current.profileIndexes.join() === this.#schedule.active.join();
    if (speed === 'slow' && isAsked) this.#shed(current, now);
    return speed === 'well' && isAsked;
  }

  #shed({ run, profileIndexes }: Current, now: number): void {
    const shed = this.#schedule.shed(now);
    if (shed === undefined) return;
    const { sourceFps } = this.#options;
    const cost = run.measureCost(this.#processors);
    this.#room.noteShed(shed, profileIndexes, cost, this.#source.video?.fps ?? sourceFps?.());
    this.#voice.shed(shed);
    if (this.#tailMs > maxTailMs) this.#leaveAtOnce([shed]);
    this.#endWithoutAny();
  }

  /** Without any rendition there is nothing to wait a keyframe for. */
  #endWithoutAny(): void {
    if (this.#schedule.active.length > 0) return;
    this.#endCurrent();
    this.#leave(this.#made);
  }

  #overflowed(frames: number, profileIndexes: readonly number[]): void {
    this.#droppedFrames += frames;
    this.#voice.overflowed(frames, profileIndexes);
  }

  #ended(run: TranscodeRun, end: RunEnd, profileIndexes: readonly number[]): void {
    if (end.kind !== 'failed') return;
    // One that fails while it drains has ended anyway: what it had not given out is missing.
    if (this.#current?.run === run) this.#crashed(run, end, profileIndexes);
    else this.#voice.crashed(end, profileIndexes);
  }

  #crashed(
    run: TranscodeRun,
    failure: Pick<Extract<RunEnd, { kind: 'failed' }>, 'failure' | 'stderr'>,
    profileIndexes: readonly number[],
  ): void {
    const now = this.#options.clock.monotonicMs();
    this.#current = undefined;
    this.#broken = true;
    const encoder = this.#crashes.next(now, this.#encoder, run.lastOutMs !== undefined);
    if (encoder !== undefined) {
      const isOther = encoder !== this.#encoder;
      this.#encoder = encoder;
      this.#voice.crashed(failure, profileIndexes, isOther ? { encoder } : {});
      return;
    }
    this.#giveUp(() => this.#voice.givenUp(failure, this.#bounds.maxCrashes));
  }
}
