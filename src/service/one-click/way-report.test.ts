import { expect, test } from 'vitest';
import type { WayMeasure } from '../publishing/media-publisher.ts';
import type { OneClickEvent } from './one-click-event.ts';
import type { CarriedRate } from './upload-speeds.ts';
import { WayReport } from './way-report.ts';

const dropped = { frames: 12, toKeyframe: true, withDisposable: false };

/** A report, its calls, and the upload that it follows. */
function setUp() {
  const told: (OneClickEvent | CarriedRate)[] = [];
  const report = new WayReport({ onEvent: (event) => told.push(event), onCarried: (carried) => told.push(carried) });
  const way: { dropped?: typeof dropped; carried?: WayMeasure['carried'] } = {};
  const upload = {
    takeDropReport: () => way.dropped,
    measureWay: () => ({ queueMs: 0, waitMs: 0, carried: way.carried }),
  };
  return { told, way, follow: (nowMs: number, isLowered = false) => report.follow(upload, isLowered, nowMs) };
}

test('what is dropped is reported at once', () => {
  const { told, way, follow } = setUp();
  follow(0);
  way.dropped = dropped;
  follow(500);
  expect(told).toEqual([{ code: 'bitrate', event: { code: 'frames-dropped', severity: 'warn', ...dropped } }]);
});

test('what the way carries is reported every 10 s, from the first time on that it is known', () => {
  const { told, way, follow } = setUp();
  follow(0);
  way.carried = { bps: 4_000_000, isLimit: false };
  follow(500);
  follow(10_499);
  way.carried = { bps: 3_000_000, isLimit: true };
  follow(10_500);
  expect(told).toEqual([
    { bps: 4_000_000, isHeldBack: false },
    { bps: 3_000_000, isHeldBack: true },
  ]);
});

test('less than was chosen is held back, even where the way would take it', () => {
  const { told, way, follow } = setUp();
  way.carried = { bps: 3_000_000, isLimit: false };
  follow(0, true);
  expect(told).toEqual([{ bps: 3_000_000, isHeldBack: true }]);
});
