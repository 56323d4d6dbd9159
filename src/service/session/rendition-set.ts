import type { RenditionView } from '../../shared/model/live.ts';
import { type Profile, sourceRenditionName } from '../../shared/model/profile.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { PlayableRendition } from '../hls/playback-directory.ts';
import { RenditionPackager } from '../hls/rendition-packager.ts';
import type { SegmentPlan } from '../hls/segment-plan.ts';
import type { SegmentStore } from '../hls/segment-store.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import type { RenditionListener } from '../transcode/rendition-listener.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';
import { measureRendition } from './measure-rendition.ts';

/** Makes the ladder of one publisher; undefined where nothing can encode. */
export type StartLadder = (
  options: RenditionListener & Pick<LadderOptions, 'profiles' | 'onEvent' | 'sourceFps'>,
) => RunningLadder | undefined;

export interface RenditionSetOptions {
  profiles: readonly Profile[];
  startLadder: StartLadder;
  createStore: () => SegmentStore;
  /** A rendition has one more segment that plays. */
  onSegment: (segment: PackagedSegment) => void;
  onEvent: LadderOptions['onEvent'];
}

/** The renditions of one publisher: its units go in, and come out encoded anew into the stores. */
export interface FeedRenditions {
  push(unit: PlacedUnit): void;
  /** Nothing more comes: resolves when all that was fed has come out. */
  end(): Promise<void>;
}

interface Feed extends FeedRenditions {
  /** Undefined where nothing can encode, and after a fault. */
  ladder: RunningLadder | undefined;
  /** Has the ladder do something. One that throws is a fault: it is given up, and harms nobody. */
  drive(work: (ladder: RunningLadder) => void): void;
}

/**
 * The renditions of one broadcast. Their stores outlive its publishers; each publisher has a ladder of its own, whose last
 * segments are waited for before those of the next one are taken.
 */
export class RenditionSet {
  readonly #options: RenditionSetOptions;
  readonly #stores: readonly SegmentStore[];
  readonly #names: readonly string[];
  #feed: Feed | undefined;
  #isOver = false;
  /** Profiles that their owner has left out, by index. */
  #leftOut: readonly number[] = [];
  /** Resolves when every publisher before the current one has come out. */
  #drained: Promise<void> = Promise.resolve();

  constructor(options: RenditionSetOptions) {
    this.#options = options;
    this.#stores = options.profiles.map(() => options.createStore());
    this.#names = nameRenditions(options.profiles);
  }

  /** Those that play, costliest first. */
  get playable(): PlayableRendition[] {
    return this.#stores.map((store, index) => ({ name: this.#names[index] as string, store }));
  }

  /** What each profile's rendition is doing, in their order; once the broadcast is over, of those that still come out. `pace` is the source's. */
  views(pace = 1): RenditionView[] {
    const views: RenditionView[] = this.#options.profiles.map((asked, index) => {
      const store = this.#stores[index] as SegmentStore;
      return {
        asked,
        state: this.#feed?.ladder?.renditions[index] ?? 'given-up',
        ...(store.offered && { name: this.#names[index] }),
        ...measureRendition(store, pace),
      };
    });
    return this.#isOver ? views.filter(({ name }) => name !== undefined) : views;
  }

  /** Makes only the renditions of the profiles with these names, by this publisher and those after it. */
  choose(names: readonly string[]): void {
    const { profiles } = this.#options;
    this.#leftOut = [...profiles.keys()].filter((index) => !names.includes(profiles[index]?.name ?? ''));
    this.#feed?.drive((ladder) => ladder.leaveOut(this.#leftOut));
  }

  /** A publisher begins; the one before has ended. */
  start(plan: SegmentPlan, sourceFps: () => number | undefined): FeedRenditions {
    const { profiles, startLadder, onSegment } = this.#options;
    const packagers = this.#stores.map(
      (sink) =>
        new RenditionPackager({
          sink,
          plan,
          onSegment: (segment) => {
            if (!segment.gap) onSegment(segment);
          },
        }),
    );
    // What comes out before the publisher before has wholly come out must wait: a playlist only grows at its end.
    const waiting: (() => void)[] = [];
    let isOpen = false;
    const deliver = (take: () => void) => {
      if (isOpen) take();
      else waiting.push(take);
    };
    const opened = this.#drained.then(() => {
      isOpen = true;
      for (const take of waiting.splice(0)) runHarmlessly(take, 'taking what was encoded meanwhile');
    });
    // Its playlist stays live, with gaps, so that its viewers change to another rendition and may come back.
    const leave = (index: number, { atOnce }: { atOnce: boolean }) =>
      deliver(() => {
        if (atOnce) packagers[index]?.leaveAtOnce();
        else packagers[index]?.leave();
        this.#stores[index]?.leave();
      });
    let ladder: RunningLadder | undefined;
    const drive = (work: () => void) => {
      try {
        work();
      } catch (error) {
        reportFault(error, 'the renditions of a publisher');
        feed.ladder = undefined;
        for (const index of profiles.keys()) leave(index, { atOnce: true });
      }
    };
    let ended: Promise<void> | undefined;
    const feed: Feed = {
      ladder: undefined,
      drive: (work) => drive(() => feed.ladder && work(feed.ladder)),
      push: (unit) => feed.drive((open) => open.push(unit)),
      end: () => {
        ended ??= Promise.all([drainHarmlessly(ladder), opened]).then(() => {
          for (const packager of packagers) runHarmlessly(() => packager.end(), 'ending a rendition');
        });
        this.#drained = ended;
        return ended;
      },
    };
    drive(() => {
      ladder = startLadder({
        profiles,
        sourceFps,
        onUnit: (index, unit) => deliver(() => packagers[index]?.push(unit)),
        onBreak: (index) => deliver(() => packagers[index]?.breakOff()),
        onRunStart: (index, start) => packagers[index]?.awaitEncoder(start),
        onRunEnd: (index, isWhole) => deliver(() => packagers[index]?.encoderEnded(isWhole)),
        onLeave: leave,
        onEvent: this.#options.onEvent,
      });
      feed.ladder = ladder;
      if (this.#leftOut.length > 0) ladder?.leaveOut(this.#leftOut);
    });
    this.#feed = feed;
    return feed;
  }

  /** Called once a second. */
  tick(): void {
    this.#feed?.drive((ladder) => ladder.tick());
  }

  /** The broadcast is over: resolves when every rendition has come to its end. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#feed?.end();
    for (const store of this.#stores) runHarmlessly(() => store.end(), 'the end of a playlist');
  }

  /** Lets go what is on disk: nobody plays these renditions any more. */
  close(): void {
    for (const store of this.#stores) store.close();
  }
}

/** Resolves when it has drained, or cannot. */
async function drainHarmlessly(ladder: RunningLadder | undefined): Promise<void> {
  try {
    await ladder?.drain();
  } catch (error) {
    reportFault(error, 'the renditions of a publisher');
  }
}

/** The folder of each rendition below the playback id: its profile's name where that can be one, else its number. */
function nameRenditions(profiles: readonly Profile[]): string[] {
  const names = new Set<string>([sourceRenditionName]);
  return profiles.map((profile, index) => {
    const plain = profile.name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 40);
    let name = plain === '' || names.has(plain) ? `rendition-${index + 1}` : plain;
    while (names.has(name)) name = `${name}-other`;
    names.add(name);
    return name;
  });
}
