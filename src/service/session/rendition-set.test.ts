import { expect, test } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { createFakeRuns } from '../../../test/support/fake-runs.ts';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { idleLadder } from '../../../test/support/idle-ladder.ts';
import { startedAtMs } from '../../../test/support/pack.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import { SegmentPlan } from '../hls/segment-plan.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import { Ladder } from '../transcode/ladder.ts';
import type { LadderRendition } from '../transcode/ladder-rendition.ts';
import type { RenditionState } from '../transcode/rendition-state.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';
import type { StartLadder } from './publisher-renditions.ts';
import { RenditionSet } from './rendition-set.ts';

const profiles: readonly Profile[] = ['High', 'Low'].map((name) => ({
  name,
  bitrate: 500_000,
  fps: 0,
  width: 640,
  height: 360,
}));

/** A ladder whose encoders put out what they were fed, unchanged and on command. */
class EchoLadder implements RunningLadder {
  states: RenditionState[] = ['running', 'running'];
  readonly options: Parameters<StartLadder>[0];
  readonly #fed: PlacedUnit[] = [];
  readonly #drained = Promise.withResolvers<void>();
  ticks = 0;

  constructor(options: Parameters<StartLadder>[0]) {
    this.options = options;
  }

  push(unit: PlacedUnit): void {
    this.#fed.push(unit);
  }

  get #renditions() {
    return this.options.renditions;
  }

  stateOf(rendition: LadderRendition): RenditionState {
    return this.states[this.#renditions.indexOf(rendition)]!;
  }

  tick(): void {
    this.ticks += 1;
  }

  leftOut: readonly string[] = [];

  leaveOut(renditions: readonly LadderRendition[]): void {
    this.leftOut = renditions.map(({ profile }) => profile.name);
  }

  drain(): Promise<void> {
    return this.#drained.promise;
  }

  giveOut(): void {
    for (const unit of this.#fed.splice(0)) {
      for (const rendition of this.#renditions) if (this.stateOf(rendition) === 'running') rendition.onUnit(unit);
    }
  }

  finish(): void {
    this.giveOut();
    this.#drained.resolve();
  }
}

/** A source whose publishers each have an {@link EchoLadder}. */
function setUp(options: { profiles?: readonly Profile[]; startLadder?: StartLadder } = {}) {
  const ladders: EchoLadder[] = [];
  const played: PackagedSegment[] = [];
  const source = createSegmentStore();
  const set = new RenditionSet({
    profiles,
    createStore: () => createSegmentStore(),
    onSegment: (segment) => played.push(segment),
    onEvent: () => {},
    startLadder(asked) {
      const ladder = new EchoLadder(asked);
      ladders.push(ladder);
      return ladder;
    },
    ...options,
  });
  return {
    set,
    ladders,
    source,
    played,
    /** Starts a publisher. */
    publish() {
      const plan = new SegmentPlan();
      const feed = set.start(plan, () => 25);
      const packager = new TagPackager({ startedAtMs, sink: source, plan, onPlaced: (unit) => feed.push(unit) });
      return {
        send: (durationMs: number, startMs = 0) => {
          for (const tag of broadcast({ durationMs, startMs })) packager.push(tag);
        },
        end: () => {
          packager.end();
          return feed.end();
        },
      };
    },
    places: () =>
      [source, ...set.playable.map(({ store }) => store)].map(({ segments }) =>
        segments.map(({ msn, discontinuitySequence, gap }) => ({ msn, discontinuitySequence, gap: gap === true })),
      ),
    ended: () => set.playable.map(({ store }) => store.ended),
  };
}

test('media that a publisher left in its encoders comes before any of the next publisher, however late', async () => {
  const stage = setUp();
  const first = stage.publish();
  first.send(6000);
  const firstOut = first.end();
  const second = stage.publish();
  second.send(4000, 50_000);
  stage.ladders[1]?.giveOut();
  await Promise.resolve();
  expect(stage.places().map((places) => places.length)).toEqual([4, 0, 0]);
  stage.ladders[0]?.finish();
  await firstOut;
  const secondOut = second.end();
  stage.ladders[1]?.finish();
  await secondOut;
  const [source, ...renditions] = stage.places();
  expect(source).toEqual([
    { msn: 0, discontinuitySequence: 0, gap: false },
    { msn: 1, discontinuitySequence: 0, gap: false },
    { msn: 2, discontinuitySequence: 0, gap: false },
    { msn: 3, discontinuitySequence: 1, gap: false },
    { msn: 4, discontinuitySequence: 1, gap: false },
  ]);
  for (const places of renditions) expect(places).toEqual(source);
  expect(stage.played).toHaveLength(10);
});

test('the broadcast and its playlists end when the encoders have put out everything', async () => {
  const stage = setUp();
  const publisher = stage.publish();
  publisher.send(6000);
  void publisher.end();
  let isOver = false;
  const over = stage.set.end().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  expect(stage.ended()).toEqual([false, false]);
  stage.ladders[0]?.finish();
  await over;
  expect(stage.ended()).toEqual([true, true]);
  // Nothing waits any more.
  expect(stage.set.views(1)).toEqual([]);
  expect(stage.places()).toEqual(Array(3).fill(stage.places()[0]));
});

test('a rendition that is no longer made is not offered and continues with gaps, and the other is unaffected', async () => {
  const stage = setUp();
  const publisher = stage.publish();
  publisher.send(6200);
  const [ladder] = stage.ladders;
  // Segments are made from the next turn of the event loop on, once it is known that no earlier publisher is draining.
  await new Promise(setImmediate);
  ladder?.giveOut();
  expect(stage.set.views(1).map(({ name }) => name)).toEqual(['high', 'low']);
  if (ladder) ladder.states = ['shed', 'running'];
  ladder?.options.renditions[0]?.onLeave({ atOnce: false });
  expect(stage.ended()).toEqual([false, false]);
  expect(stage.set.views(1).map(({ name, state }) => ({ name, state }))).toEqual([
    { name: undefined, state: 'shed' },
    { name: 'low', state: 'running' },
  ]);
  void publisher.end();
  ladder?.finish();
  await stage.set.end();
  const [source, high, low] = stage.places();
  expect(low).toEqual(source);
  expect(high).toEqual(source?.map((place) => ({ ...place, gap: place.msn === 3 })));
  expect(stage.ended()).toEqual([true, true]);
  expect(source).toHaveLength(4);
});

test('an encoder that breaks off leaves a gap in its rendition only, which is not counted', async () => {
  const stage = setUp();
  const publisher = stage.publish();
  publisher.send(4000);
  const [ladder] = stage.ladders;
  ladder?.giveOut();
  ladder?.options.renditions[1]?.onBreak();
  publisher.send(4000, 4000);
  void publisher.end();
  ladder?.finish();
  await stage.set.end();
  const [source, high, low] = stage.places();
  expect(source?.map(({ msn }) => msn)).toEqual([0, 1, 2, 3]);
  expect(high).toEqual(source);
  expect(low).toEqual(source?.map((place) => ({ ...place, gap: place.msn === 1 })));
  expect(stage.played).toHaveLength(7);
});

test('if nothing can encode, renditions are given up and nothing waits', async () => {
  const stage = setUp({ startLadder: () => idleLadder });
  const publisher = stage.publish();
  publisher.send(4000);
  expect(stage.set.views(1).map(({ state, name }) => ({ state, name }))).toEqual(
    Array(2).fill({ state: 'given-up', name: undefined }),
  );
  await publisher.end();
  await stage.set.end();
  expect(stage.places().map((places) => places.length)).toEqual([2, 0, 0]);
});

test('a broadcast without a publisher ends at once, and ticks reach the ladder of the one there is', async () => {
  const stage = setUp();
  stage.set.tick();
  await stage.set.end();
  const other = setUp();
  other.publish();
  other.set.tick();
  expect(other.ladders.map(({ ticks }) => ticks)).toEqual([1]);
});

test("a folder has its profile's name, if that is a possible folder name and not taken", () => {
  const names = ['720p', 'Full HD (60)', 'full-hd-60', 'Source', '🎬', 'a'.repeat(50), 'rendition-8', '-'];
  const { set } = setUp({ profiles: names.map((name) => ({ ...(profiles[0] as Profile), name })) });
  expect(set.playable.map(({ name }) => name)).toEqual([
    '720p',
    'full-hd-60',
    'rendition-3',
    'rendition-4',
    'rendition-5',
    'a'.repeat(40),
    'rendition-8',
    'rendition-8-other',
  ]);
});

test('renditions that are left out stay left out for later publishers', async () => {
  const stage = setUp();
  stage.publish();
  stage.set.choose(['Low']);
  expect(stage.ladders.map(({ leftOut }) => leftOut)).toEqual([['High']]);
  void stage.publish();
  expect(stage.ladders.map(({ leftOut }) => leftOut)).toEqual([['High'], ['High']]);
  stage.set.choose(['High', 'Low']);
  expect(stage.ladders[1]?.leftOut).toEqual([]);
});

test('between publishers, what the owner chooses shows at once', async () => {
  const stage = setUp();
  const states = () => stage.set.views(1).map(({ state }) => state);
  const publisher = stage.publish();
  const [ladder] = stage.ladders;
  stage.set.choose([]);
  if (ladder) ladder.states = ['left-out', 'left-out'];
  void publisher.end();
  // A ladder that is draining changes nothing any more.
  stage.set.choose(['High']);
  expect(states()).toEqual(['waiting', 'left-out']);
  stage.set.choose(['High', 'Low']);
  expect(states()).toEqual(['waiting', 'waiting']);
  if (ladder) ladder.states = ['running', 'shed'];
  stage.set.choose(['Low']);
  expect(states()).toEqual(['left-out', 'shed']);
});

test('a rendition that is turned back on after its encoder has gone shows it, and stays on with the next choice', async () => {
  const { startRun } = createFakeRuns();
  const stage = setUp({
    startLadder: (asked) =>
      new Ladder(
        {
          ...asked,
          encoder: 'libx264',
          clock: { monotonicMs: () => 0 },
          ffmpegPath: () => '/nowhere/ffmpeg',
          canDecode: () => true,
        },
        startRun,
      ),
  });
  const states = () => stage.set.views(1).map(({ state }) => state);
  const publisher = stage.publish();
  stage.set.choose([]);
  expect(states()).toEqual(['left-out', 'left-out']);
  await publisher.end();
  stage.set.choose(['High']);
  expect(states()).toEqual(['waiting', 'left-out']);
  stage.publish();
  expect(states()).toEqual(['waiting', 'left-out']);
});

test('the last part of a rendition and the end of its playlist appear together', async () => {
  const stage = setUp();
  const publisher = stage.publish();
  publisher.send(3_000);
  void publisher.end();
  const over = stage.set.end();
  stage.ladders[0]?.giveOut();
  await new Promise(setImmediate);
  const [{ store } = { store: stage.source }] = stage.set.playable;
  const seen: boolean[] = [];
  // A request that waits is answered in the microtasks after the change.
  store.onChange(() => queueMicrotask(() => seen.push(store.ended)));
  stage.ladders[0]?.finish();
  await over;
  expect(new Set(seen)).toEqual(new Set([true]));
});
