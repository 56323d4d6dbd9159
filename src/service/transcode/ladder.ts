import type { PlacedUnit } from '../media/media-unit.ts';
import { defaultLadderBounds } from './ladder-bounds.ts';
import { LadderEvents, type RunFailure } from './ladder-events.ts';
import { type CurrentRun, LadderFeed } from './ladder-feed.ts';
import type { LadderOptions } from './ladder-options.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import { LadderSupervisor } from './ladder-supervisor.ts';
import { ownProcessors, type Processors } from './processors.ts';
import type { RenditionState } from './rendition-state.ts';
import type { StartRun } from './run-queue.ts';
import { Shedding } from './shedding.ts';

/**
 * Makes the renditions of one live session from the units of its source. {@link LadderFeed} starts and feeds ffmpegs,
 * {@link LadderSupervisor} decides what follows when one crashes or hangs, and {@link Shedding} which renditions are made.
 *
 * It has no timer but a bound on draining: call {@link tick} once a second.
 */
export class Ladder {
  readonly #clock: LadderOptions['clock'];
  readonly #processors: Processors;
  readonly #feed: LadderFeed;
  readonly #supervisor: LadderSupervisor;
  readonly #shedding: Shedding;
  readonly #events: LadderEvents;
  #state: 'open' | 'given-up' | 'closed' = 'open';

  constructor(options: LadderOptions, startRun?: StartRun) {
    const { renditions, bounds = defaultLadderBounds, processors = ownProcessors, clock } = options;
    this.#clock = clock;
    this.#processors = processors;
    this.#events = new LadderEvents(renditions, options.onEvent);
    this.#shedding = new Shedding(renditions, bounds, processors);
    this.#supervisor = new LadderSupervisor(options.encoder, bounds);
    this.#feed = new LadderFeed({
      ...options,
      bounds,
      wanted: () => (this.#isResting ? [] : this.#shedding.active),
      encoder: () => this.#supervisor.encoder,
      onStart: ({ run, renditions: started, overlaps }) => {
        this.#supervisor.watch(run, clock.monotonicMs(), { overlaps });
        if (run.hasStarted) this.#events.started(started);
      },
      onFailed: (current, failure, wasFed) => {
        // A draining ffmpeg would have ended anyway: only its remaining output is missing, so nothing has to be restarted.
        if (wasFed) this.#crashed(current, failure);
        else this.#events.crashed(failure, current.renditions);
      },
      onOverflow: (frames, dropped) => this.#events.overflowed(frames, dropped),
      onUndecodable: (codec) => this.#giveUp(codec),
      ...(startRun && { startRun }),
    });
  }

  /** The state of one of its renditions. */
  stateOf(rendition: LadderRendition): RenditionState {
    if (this.#state === 'given-up') return 'given-up';
    const whyAbsent = this.#shedding.whyAbsent(rendition);
    if (whyAbsent !== undefined) return whyAbsent;
    if (this.#isResting) return 'resting';
    const { current } = this.#feed;
    const isRunning = current?.run.lastOutMs !== undefined && current.renditions.includes(rendition);
    return isRunning ? 'running' : 'waiting';
  }

  /** Bytes that wait for ffmpeg to take them. */
  get queuedBytes(): number {
    return this.#feed.current?.run.queuedBytes ?? 0;
  }

  /** Takes the next unit of the source. It never waits or throws. */
  push(unit: PlacedUnit): void {
    if (this.#state === 'open') this.#feed.push(unit);
  }

  /** Makes all but these renditions from the next keyframe on; their owner has left them out for now. */
  leaveOut(renditions: readonly LadderRendition[]): void {
    if (this.#state !== 'open') return;
    const { added, takenBack } = this.#shedding.leaveOut(renditions);
    if (added.length > 0) this.#events.leftOut(added);
    if (takenBack.length > 0) this.#events.takenBack(takenBack);
    this.#feed.leave(added);
  }

  /** Checks on ffmpeg; call it once a second. */
  tick(): void {
    if (this.#state !== 'open') return;
    if (this.#isResting) return;
    const now = this.#clock.monotonicMs();
    const returned = this.#shedding.restore(now, this.#checkPace(now));
    if (returned !== undefined) this.#events.returned(returned);
  }

  /** The broadcast is over: resolves when everything that was fed is out, or after the drain bound. */
  async drain(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    await this.#feed.drain();
  }

  /** Ends everything at once; may be called twice. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    await this.#feed.kill();
  }

  get #isResting(): boolean {
    return this.#supervisor.isResting(this.#clock.monotonicMs());
  }

  /** Replaces an ffmpeg that hangs and sheds a rendition where it is too slow; returns whether all is well. */
  #checkPace(now: number): boolean {
    const { current } = this.#feed;
    if (current === undefined) return this.#shedding.active.length === 0;
    const pace = this.#supervisor.check(now);
    if (pace === 'stalled') {
      current.run.kill();
      this.#crashed(current, { failure: { code: 'stuck' }, stderr: [] });
      return false;
    }
    // A run that is about to be replaced is not judged again.
    const { makesWanted } = this.#feed;
    if (pace === 'slow' && makesWanted) this.#shed(current, now);
    return pace === 'well' && makesWanted;
  }

  #shed({ run, renditions }: CurrentRun, now: number): void {
    const { sourceFps } = this.#feed;
    const shed = this.#shedding.shed(now, { renditions, cpuSeconds: run.measureCost(this.#processors), sourceFps });
    if (shed === undefined) return;
    this.#events.shed(shed);
    this.#feed.leave([shed]);
  }

  #crashed({ renditions }: CurrentRun, failure: RunFailure): void {
    this.#feed.lose();
    const next = this.#supervisor.decideAfterCrash(this.#clock.monotonicMs(), failure.failure);
    if (typeof next === 'object') {
      const { active } = this.#shedding;
      this.#events.rested(failure, active, { count: next.count, waitMs: next.restMs });
      this.#feed.leave(active);
      return;
    }
    this.#events.crashed(failure, renditions, next === 'fall-back' ? { encoder: this.#supervisor.encoder } : {});
  }

  /** Makes nothing any more: ffmpeg can't decode this codec. */
  #giveUp(codec: string): void {
    this.#state = 'given-up';
    this.#events.undecodable(codec);
    this.#feed.leaveAll();
  }
}
