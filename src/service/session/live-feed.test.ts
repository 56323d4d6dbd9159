import { describe, expect, onTestFinished, test } from 'vitest';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { placeTags } from '../../../test/support/transcode-stand.ts';
import { onFault } from '../lib/faults.ts';
import { type PlacedUnit, sizeOf } from '../media/media-unit.ts';
import { type FeedReader, LiveFeed } from './live-feed.ts';

/** 4 s with a keyframe each second. */
const media = placeTags(broadcast({ durationMs: 4000, gopFrames: 25 }));
const noDrop = () => {
  throw new Error('No reader is slow here.');
};
const lines = (units: readonly PlacedUnit[]) =>
  units.map((unit) => `${unit.type} ${unit.dts}${unit.type === 'video' && unit.keyframe ? ' key' : ''}`);
const until = (ms: number) => media.filter(({ dts }) => dts < ms);
const from = (ms: number) => media.filter(({ type, dts }) => dts >= ms && type !== 'config');

/** A reader that takes everything at once. */
function readAll(feed: LiveFeed, maxQueueBytes?: number): PlacedUnit[] {
  const units: PlacedUnit[] = [];
  const onUnits = (reader: FeedReader) => reader.takeAll((unit) => units.push(unit));
  feed.read({ name: 'ladder', onUnits, ...(maxQueueBytes && { maxQueueBytes }) });
  return units;
}

/** A reader that takes nothing by itself. */
function readNothing(feed: LiveFeed, maxQueueBytes?: number): FeedReader {
  return feed.read({ name: 'audio-meter', onUnits: () => {}, ...(maxQueueBytes && { maxQueueBytes }) });
}

function takeAll(reader: FeedReader): PlacedUnit[] {
  const units: PlacedUnit[] = [];
  reader.takeAll((unit) => units.push(unit));
  return units;
}

test('each reader gets every unit, in order, however little may wait', () => {
  const feed = new LiveFeed(noDrop);
  const [one, other] = [readAll(feed), readAll(feed, 200)];
  for (const unit of media) feed.push(unit);
  expect(one).toEqual(media);
  expect(other).toEqual(media);
});

describe('a reader that joins late', () => {
  test('gets the configurations and begins at a keyframe', () => {
    const feed = new LiveFeed(noDrop);
    for (const unit of until(1500)) feed.push(unit);
    const late = readAll(feed);
    for (const unit of from(1500)) feed.push(unit);
    const configs = media.filter(({ type }) => type === 'config');
    const keyframe = media.findIndex(({ type, dts }) => type === 'video' && dts === 2000);
    expect(lines(late)).toEqual(lines([...configs, ...media.slice(keyframe)]));
  });

  test('begins at once if there is audio only', () => {
    const feed = new LiveFeed(noDrop);
    const sound = placeTags(broadcast({ durationMs: 2000, video: false }));
    for (const unit of sound.slice(0, 20)) feed.push(unit);
    const late = readAll(feed);
    for (const unit of sound.slice(20)) feed.push(unit);
    expect(late).toEqual([sound[0], ...sound.slice(20)]);
  });

  test('gets the audio while the video is away, and the video from a keyframe once it is back', () => {
    const feed = new LiveFeed(noDrop);
    const sound = media.filter(({ type }) => type === 'audio');
    for (const unit of until(500)) feed.push(unit);
    const late = readAll(feed);
    for (const unit of sound.filter(({ dts }) => dts >= 500 && dts < 3500)) feed.push(unit);
    for (const unit of from(3500).filter(({ type }) => type === 'video')) feed.push(unit);
    const heard = late.filter(({ type }) => type === 'audio');
    // The last picture was at 480 ms.
    expect(heard[0]?.dts).toSatisfy((dts: number) => dts > 2450 && dts < 2530);
    expect(heard).toEqual(sound.filter(({ dts }) => dts >= (heard[0]?.dts ?? 0) && dts < 3500));
    expect(late.filter(({ type }) => type === 'video')).toEqual([]);
    const [next] = media.filter((unit) => unit.type === 'video' && unit.keyframe);
    if (next === undefined) throw new Error('There is no keyframe.');
    feed.push({ ...next, dts: 4000 });
    expect(lines(late).at(-1)).toBe('video 4000 key');
  });

  test("gets the audio that comes before a publisher's first video, however many publishers there were before", () => {
    const feed = new LiveFeed(noDrop);
    for (const unit of media) feed.push(unit);
    const timeline = feed.startPublisher();
    expect(timeline).toBe(1);
    const next = readAll(feed);
    const sound = placeTags(broadcast({ durationMs: 500, video: false })).map((unit) => ({ ...unit, timeline }));
    for (const unit of sound) feed.push(unit);
    expect(next).toEqual(sound);
  });
});

describe('a reader that does not take its units', () => {
  test('continues with the newest configurations and the next keyframe, and how many units it missed is reported', () => {
    const drops: [string, number][] = [];
    const feed = new LiveFeed((name, count) => void drops.push([name, count]));
    const reader = readNothing(feed, 2_000);
    const beside = readAll(feed);
    for (const unit of until(2500)) feed.push(unit);
    const taken = takeAll(reader);
    expect(taken.slice(0, 2).map(({ type }) => type)).toEqual(['config', 'config']);
    expect(taken[2]).toMatchObject({ type: 'video', keyframe: true, dts: 2000 });
    expect(taken.slice(2)).toEqual(from(2000).filter(({ dts }) => dts < 2500));
    expect(new Set(drops.map(([name]) => name))).toEqual(new Set(['audio-meter']));
    expect(drops.reduce((sum, [, count]) => sum + count, 0)).toBe(until(2500).length - taken.length);
    expect(beside).toEqual(until(2500));
  });

  test('awaits the keyframe that it came too late for even if it then falls behind on the audio alone', () => {
    const feed = new LiveFeed(() => {});
    for (const unit of until(500)) feed.push(unit);
    const late = readNothing(feed, 500);
    takeAll(late);
    for (const unit of from(500).filter(({ type, dts }) => type === 'audio' && dts < 3500)) feed.push(unit);
    takeAll(late);
    for (const unit of from(3500).filter(({ dts }) => dts < 3600)) feed.push(unit);
    expect(takeAll(late).filter(({ type }) => type === 'video')).toEqual([]);
  });

  test('counts everything that it misses up to a keyframe as missed, though it gets the audio before that', () => {
    let missed = 0;
    const feed = new LiveFeed((_, count) => {
      missed += count;
    });
    const reader = readNothing(feed, 2_000);
    const pushed = [
      ...until(500),
      ...from(500).filter(({ type, dts }) => type === 'audio' && dts < 3500),
      // Its keyframe would be at 4 s.
      ...from(3500),
    ];
    for (const unit of pushed) feed.push(unit);
    const taken = takeAll(reader);
    reader.close();
    expect(taken.some(({ type }) => type === 'audio')).toBe(true);
    expect(taken.some(({ type }) => type === 'video')).toBe(false);
    expect(missed).toBe(pushed.length - taken.length);
  });

  test('continues at once if there is audio only', () => {
    let missed = 0;
    const feed = new LiveFeed((_name, count) => (missed += count));
    const reader = readNothing(feed, 500);
    const sound = placeTags(broadcast({ durationMs: 1000, video: false }));
    for (const unit of sound) feed.push(unit);
    const [config, ...taken] = takeAll(reader);
    expect(config).toEqual(sound[0]);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken).toEqual(sound.slice(-taken.length));
    expect(missed).toBe(sound.length - taken.length - 1);
  });

  test('never holds more than 32 MiB unless it says so', () => {
    const feed = new LiveFeed(() => {});
    const reader = readNothing(feed);
    const [keyframe] = media.filter((unit) => unit.type === 'video');
    const data = Buffer.alloc(1024 * 1024);
    const push = (count: number) => {
      for (let pushed = 0; pushed < count; pushed += 1) feed.push({ ...keyframe!, data });
    };
    const held = [32, 33].map((count) => {
      push(count);
      return takeAll(reader).length;
    });
    expect(held).toEqual([32, 0]);
  });

  test('never holds more than its bound', () => {
    const sizes = media.map((_, count) => {
      const feed = new LiveFeed(() => {});
      const reader = readNothing(feed, 2_000);
      for (const unit of media.slice(0, count + 1)) feed.push(unit);
      return takeAll(reader).reduce((bytes, unit) => bytes + sizeOf(unit), 0);
    });
    expect(Math.max(...sizes)).toBeGreaterThan(1_500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
  });
});

test('a reader that throws is closed, and harms no other', () => {
  const faults: string[] = [];
  onTestFinished(onFault(({ during }) => void faults.push(during)));
  const feed = new LiveFeed(noDrop);
  feed.read({
    name: 'ladder',
    onUnits: () => {
      throw new Error('A bug.');
    },
  });
  const units = readAll(feed);
  for (const unit of media) feed.push(unit);
  expect(units).toEqual(media);
  expect(faults).toEqual(['reading a live broadcast (ladder)']);
});

test('a reader that is closed gets nothing more, not even the unit that is being handed out', () => {
  const feed = new LiveFeed(noDrop);
  const closing = feed.read({ name: 'ladder', onUnits: () => reader.close() });
  const reader = readNothing(feed);
  feed.push(media[0]!);
  expect([takeAll(closing), takeAll(reader)]).toEqual([[media[0]], []]);
  feed.push(media[1]!);
  expect(takeAll(reader)).toEqual([]);
});
