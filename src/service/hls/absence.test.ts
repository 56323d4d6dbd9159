import { expect, test } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { sendAudioLate, sentAtMs } from '../../../test/support/late-audio.ts';
import { startedAtMs } from '../../../test/support/pack.ts';
import { renditionOptions } from '../../../test/support/packager-options.ts';
import { findBrokenRules, readPlaylist } from '../../../test/support/read-playlist.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import { formatMediaPlaylist } from './playlist/media-playlist.ts';
import { RenditionPackager } from './rendition-packager.ts';
import { SegmentPlan } from './segment-plan.ts';
import type { SegmentStore } from './segment-store.ts';

const all = () => true;
const before =
  (ms: number) =>
  ({ dts }: PlacedUnit) =>
    dts < ms;

/** A source, of 20 s by default, whose audio comes `audioLateMs` late, and a rendition whose encoder echoes its input. */
function setUp({ audioLateMs = 0, sent = broadcast({ durationMs: 20_000 }) } = {}) {
  const plan = new SegmentPlan();
  const source = createSegmentStore();
  const store = createSegmentStore();
  const fed: PlacedUnit[] = [];
  const packager = new TagPackager({
    startedAtMs,
    targetSegmentSeconds: 2,
    sink: source,
    plan,
    onPlaced: (unit) => fed.push(unit),
  });
  const follower = new RenditionPackager(renditionOptions({ sink: store, plan }));
  const tags = sendAudioLate(sent, audioLateMs);
  let headers: PlacedUnit[] = [];
  let at = 0;
  /** The source sends up to this time; units that `encodes` accepts are encoded at once. */
  const runTo = (untilMs: number, encodes: (unit: PlacedUnit) => boolean) => {
    for (let tag = tags[at]; tag && sentAtMs(tag, audioLateMs) < untilMs; tag = tags[at]) {
      at += 1;
      packager.push(tag);
      for (const unit of fed.splice(0)) {
        if (unit.type === 'config') headers = [...headers, unit];
        if (unit.type === 'config' || encodes(unit)) follower.push(unit);
      }
    }
  };
  const read = (from: SegmentStore) => readPlaylist(formatMediaPlaylist(from));
  return {
    packager,
    follower,
    source,
    store,
    runTo,
    playlist: () => read(store),
    sourcePlaylist: () => read(source),
    end() {
      packager.end();
      follower.end();
      source.end();
      store.end();
    },
  };
}

const shape = ({ segments }: ReturnType<typeof readPlaylist>) =>
  segments.map(({ msn, seconds, programDateTime, discontinuitySequence }) => ({
    msn,
    seconds,
    programDateTime,
    discontinuitySequence,
  }));
const gaps = ({ segments }: ReturnType<typeof readPlaylist>) => segments.filter(({ gap }) => gap).map(({ msn }) => msn);

test('a rendition that is left keeps a live playlist: each segment and part of its source is a gap when the source has it', () => {
  const stage = setUp();
  stage.runTo(4_010, before(4_000));
  stage.follower.leave();
  stage.store.leave();
  const end = stage.playlist();
  expect({ ended: end.ended, hint: end.hint, gaps: gaps(end) }).toEqual({ ended: false, hint: undefined, gaps: [] });
  for (let untilMs = 4_250; untilMs < 14_000; untilMs += 250) {
    stage.runTo(untilMs, () => false);
    const playlist = stage.playlist();
    const source = stage.sourcePlaylist();
    expect(shape(playlist)).toEqual(shape(source));
    expect(playlist.open).toEqual(source.open.map((part) => ({ ...part, independent: false, gap: true })));
    expect({ ...playlist, ended: playlist.ended, hint: playlist.hint }).toMatchObject({
      ended: false,
      hint: undefined,
      targetDuration: 2,
      partTarget: source.partTarget,
    });
    expect(findBrokenRules(playlist)).toEqual([]);
  }
  expect(gaps(stage.playlist())).toEqual([2, 3, 4, 5]);
  expect(stage.store.offered).toBe(false);
  expect(stage.store.has(6, 3)).toBe(true);
  expect(stage.store.findPart(6, 3)).toEqual({ kind: 'never' });
});

test('a rendition that returns continues with the same numbers, without a hole or a discontinuity, and is offered again', () => {
  const stage = setUp();
  stage.runTo(4_010, before(4_000));
  stage.follower.leave();
  stage.store.leave();
  stage.runTo(9_000, () => false);
  // Its encoder begins with a keyframe inside a segment: that segment is a gap too.
  stage.follower.awaitEncoder({ timeline: 0, startMs: 9_000 });
  stage.runTo(10_300, ({ dts }) => dts >= 9_000);
  expect(gaps(stage.playlist())).toEqual([2, 3, 4]);
  expect(stage.playlist().open.every(({ gap }) => !gap)).toBe(true);
  expect(stage.playlist().hint).toBe('5-1.m4s');
  expect(stage.store.offered).toBe(false);
  stage.runTo(12_300, ({ dts }) => dts >= 9_000);
  expect(stage.store.offered).toBe(true);
  stage.runTo(20_000, all);
  stage.end();
  const playlist = stage.playlist();
  expect(shape(playlist)).toEqual(shape(stage.sourcePlaylist()));
  expect(gaps(playlist)).toEqual([2, 3, 4]);
  expect(playlist.ended).toBe(true);
});

/** The source's timestamps jump after 6 s, to 60 s. Its keyframes come each second, its segments have two of them. */
const jumping = [
  ...broadcast({ durationMs: 6_000, gopFrames: 25 }),
  ...broadcast({ startMs: 60_000, durationMs: 8_000, gopFrames: 25, headers: false }),
];

test.each<[string, (unit: PlacedUnit) => boolean]>([
  ['with a keyframe inside a segment', ({ dts }) => dts >= 61_000],
  ['with its audio inside a segment, and then with a keyframe', ({ type, dts }) => dts >= (type === 'audio' ? 60_500 : 61_000)],
])('a rendition that returns %s after its source has jumped in time has a gap for that segment', (_name, encodes) => {
  const stage = setUp({ sent: jumping });
  stage.runTo(3_010, before(3_000));
  stage.follower.leave();
  stage.store.leave();
  stage.runTo(60_500, () => false);
  stage.follower.awaitEncoder({ timeline: 1, startMs: 61_000 });
  stage.runTo(68_000, encodes);
  stage.end();
  expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
  expect(gaps(stage.playlist())).toEqual([2, 3, 4]);
});

test('the output of an encoder that has begun is awaited, and becomes a gap at once if the encoder fails', () => {
  const stage = setUp();
  stage.follower.awaitEncoder({ timeline: 0, startMs: 0 });
  stage.runTo(5_100, all);
  // It crashes in the middle of segment 2, and another begins with segment 3.
  stage.follower.breakOff();
  stage.follower.encoderEnded(false);
  stage.runTo(6_010, () => false);
  stage.follower.awaitEncoder({ timeline: 0, startMs: 6_000 });
  stage.runTo(8_500, () => false);
  expect(gaps(stage.playlist())).toEqual([2]);
  expect(stage.playlist().open).toEqual([]);
  stage.follower.encoderEnded(false);
  expect(gaps(stage.playlist())).toEqual([2, 3]);
  expect(stage.playlist().open.length).toBeGreaterThan(0);
});

test('an encoder that crashes in the middle of a segment costs that segment: the next one has the media of another encoder', () => {
  const stage = setUp();
  stage.follower.awaitEncoder({ timeline: 0, startMs: 0 });
  stage.runTo(5_100, all);
  stage.follower.breakOff();
  stage.follower.encoderEnded(false);
  stage.follower.awaitEncoder({ timeline: 0, startMs: 6_000 });
  stage.runTo(10_500, ({ dts }) => dts >= 6_000);
  expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
  expect(gaps(stage.playlist())).toEqual([2]);
});

test('a segment that is left in the middle has everything that came, and is a gap at once: its missing parts are not reported', () => {
  const stage = setUp();
  const told = () => stage.playlist().text.split('2-0.m4s').at(-1)?.split('\n').slice(1, -1) ?? [];
  stage.runTo(5_100, all);
  const given = stage.playlist().open;
  stage.follower.leave();
  stage.store.leave();
  const rest = `2-${given.length}.m4s`;
  expect(stage.playlist()).toMatchObject({ open: given, hint: rest });
  expect(told().at(-2)).toBe('#EXT-X-GAP');
  stage.runTo(5_300, () => false);
  expect(stage.playlist().open).toEqual(given);
  stage.runTo(5_500, () => false);
  const leaving = stage.playlist();
  expect(leaving.open.slice(0, -1)).toEqual(given);
  expect(leaving.open.at(-1)).toMatchObject({ uri: rest, seconds: 0.12, gap: false });
  expect([told().at(-2), leaving.hint]).toEqual(['#EXT-X-GAP', undefined]);
  const before = told();
  stage.runTo(5_900, () => false);
  expect(told()).toEqual(before);
  stage.runTo(6_500, () => false);
  const { segments, open } = stage.playlist();
  expect(told().slice(0, before.length)).toEqual(before);
  expect(segments[2]).toMatchObject({ msn: 2, gap: true, seconds: 2, parts: leaving.open });
  expect(open.length).toBeGreaterThan(0);
  expect(open.every(({ gap }) => gap)).toBe(true);
  expect(told().filter((line) => line === '#EXT-X-GAP')).toHaveLength(2);
  expect(findBrokenRules(stage.playlist())).toEqual([]);
});

test('a segment that is left when its source is far ahead is a gap with all that came, and the next ones are reported at once', () => {
  const stage = setUp();
  stage.runTo(5_100, all);
  stage.runTo(7_300, () => false);
  const given = stage.playlist().open.length;
  stage.follower.leaveAtOnce();
  stage.store.leave();
  const { segments, open } = stage.playlist();
  expect(segments[2]).toMatchObject({ msn: 2, gap: true, seconds: 2 });
  expect(segments[2]?.parts).toHaveLength(given + 1);
  expect(segments[2]?.parts.some(({ gap }) => gap)).toBe(false);
  expect(open.length).toBeGreaterThan(0);
  expect(open.every(({ gap }) => gap)).toBe(true);
});

test('a rendition that is first made late has no playlist until then, and gaps for earlier segments of its source', () => {
  const stage = setUp();
  stage.follower.leave();
  stage.store.leave();
  stage.runTo(5_000, () => false);
  expect(stage.store.segments).toEqual([]);
  stage.follower.awaitEncoder({ timeline: 0, startMs: 6_000 });
  stage.runTo(9_000, ({ dts }) => dts >= 6_000);
  expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
  expect(gaps(stage.playlist())).toEqual([0, 1, 2]);
  expect(findBrokenRules(stage.playlist())).toEqual([]);
  expect(stage.store.offered).toBe(true);
});

test('a rendition that is away when the broadcast ends has all its segments, and ends with it', () => {
  const stage = setUp();
  stage.runTo(4_010, before(4_000));
  stage.follower.leave();
  stage.store.leave();
  stage.runTo(13_100, () => false);
  stage.end();
  expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
  expect(gaps(stage.playlist())).toEqual([2, 3, 4, 5, 6]);
  expect(stage.playlist().ended).toBe(true);
});

test("a rendition that is left at once does not wait for the rest of its encoders' output", () => {
  const stage = setUp();
  stage.runTo(4_010, before(4_000));
  stage.follower.awaitEncoder({ timeline: 0, startMs: 4_000 });
  stage.follower.leave();
  stage.store.leave();
  stage.runTo(7_000, () => false);
  expect([gaps(stage.playlist()), stage.playlist().open]).toEqual([[], []]);
  stage.follower.leaveAtOnce();
  expect(gaps(stage.playlist())).toEqual([2]);
  expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
  expect(stage.playlist().open.length).toBeGreaterThan(0);
});

test('an encoder that begins later, or on another timeline, does not hold up the gaps before its own media', () => {
  const stage = setUp();
  stage.runTo(4_010, before(4_000));
  stage.follower.leave();
  stage.store.leave();
  stage.follower.awaitEncoder({ timeline: 1, startMs: 0 });
  stage.follower.awaitEncoder({ timeline: 0, startMs: 8_000 });
  for (let untilMs = 4_250; untilMs < 8_000; untilMs += 250) {
    stage.runTo(untilMs, () => false);
    expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
    expect(stage.playlist().open).toHaveLength(stage.sourcePlaylist().open.length);
  }
  stage.runTo(9_000, () => false);
  expect([gaps(stage.playlist()), stage.playlist().open]).toEqual([[2, 3], []]);
});

test('a segment that its source has not begun yet, since it waits for audio, is a gap for a rendition that is left', () => {
  const stage = setUp({ audioLateMs: 300 });
  stage.runTo(6_100, all);
  expect(stage.sourcePlaylist().segments.at(-1)?.msn).toBe(1);
  stage.follower.leave();
  stage.store.leave();
  stage.runTo(9_500, () => false);
  expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
  expect(gaps(stage.playlist())).toEqual([3]);
  expect(stage.playlist().open).toHaveLength(stage.sourcePlaylist().open.length);
  stage.runTo(12_900, ({ dts }) => dts >= 10_000);
  expect(shape(stage.playlist())).toEqual(shape(stage.sourcePlaylist()));
  expect(gaps(stage.playlist())).toEqual([3, 4]);
  expect(findBrokenRules(stage.playlist())).toEqual([]);
});
