import type { RenditionView } from '../../shared/model/live.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { PlayableRendition } from '../hls/playback-directory.ts';
import type { SegmentPlan } from '../hls/segment-plan.ts';
import type { SegmentStore } from '../hls/segment-store.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import type { RenditionState } from '../transcode/rendition-state.ts';
import { PublisherRenditions, type StartLadder } from './publisher-renditions.ts';
import { createRenditions, type Rendition } from './rendition.ts';

export interface RenditionSetOptions {
  profiles: readonly Profile[];
  startLadder: StartLadder;
  createStore: () => SegmentStore;
  /** A rendition has one more segment that plays. */
  onSegment: (segment: PackagedSegment) => void;
  onEvent: LadderOptions['onEvent'];
}

/**
 * The renditions of one session, which outlive its publishers. Each publisher has its own ladder; the segments of the next
 * publisher are taken after the last segments of the one before.
 */
export class RenditionSet {
  readonly #options: RenditionSetOptions;
  readonly #renditions: readonly Rendition[];
  #publisher: PublisherRenditions | undefined;
  #isOver = false;
  /** Renditions that the owner has left out. */
  #leftOut: readonly Rendition[] = [];
  /** Resolves when every publisher before the next one has put out everything. */
  #drained: Promise<void> = Promise.resolve();

  constructor(options: RenditionSetOptions) {
    this.#options = options;
    this.#renditions = createRenditions(options.profiles, options.createStore);
  }

  /** The renditions that play, in the order of the profiles. */
  get playable(): PlayableRendition[] {
    return this.#renditions.map(({ name, store }) => ({ name, store }));
  }

  /**
   * The renditions with their states, in the order of the profiles. After the session, only those that can still be played.
   * `pace` is the source's.
   */
  views(pace: number): RenditionView[] {
    const views = this.#renditions.map((rendition) => rendition.view(this.#stateOf(rendition), pace));
    return this.#isOver ? views.filter(({ name }) => name !== undefined) : views;
  }

  /** Makes only the renditions of the profiles with these names, for this publisher and those after it. */
  choose(names: readonly string[]): void {
    this.#leftOut = this.#renditions.filter(({ profile }) => !names.includes(profile.name));
    this.#publisher?.leaveOut(this.#leftOut);
  }

  /** A publisher starts; the one before has ended. */
  start(plan: SegmentPlan, sourceFps: () => number | undefined): Pick<PublisherRenditions, 'push' | 'end'> {
    const { startLadder, onSegment, onEvent } = this.#options;
    const publisher = new PublisherRenditions({
      renditions: this.#renditions,
      startLadder,
      plan,
      sourceFps,
      previousOut: this.#drained,
      leftOut: this.#leftOut,
      onSegment,
      onEvent,
      onEnd: () => {
        if (this.#isOver && this.#publisher === publisher) this.#endPlaylists();
      },
    });
    this.#publisher = publisher;
    return {
      push: (unit) => publisher.push(unit),
      end: () => {
        this.#drained = publisher.end();
        return this.#drained;
      },
    };
  }

  /** Called once a second. */
  tick(): void {
    this.#publisher?.tick();
  }

  /** The session is over: resolves when every rendition has ended. A player that asks for the last part finds the end with it. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#publisher?.end();
    this.#endPlaylists();
  }

  /** The owner's choice counts, which a ladder that is draining, or that hasn't begun, doesn't follow. */
  #stateOf(rendition: Rendition): RenditionState {
    if (this.#leftOut.includes(rendition)) return 'left-out';
    const state = this.#publisher?.stateOf(rendition) ?? 'given-up';
    return state === 'left-out' ? 'waiting' : state;
  }

  #endPlaylists(): void {
    for (const { store } of this.#renditions) runHarmlessly(() => store.end(), 'the end of a playlist');
  }

  /** Deletes the segments on disk: nobody plays these renditions any more. */
  close(): void {
    for (const { store } of this.#renditions) store.close();
  }
}
