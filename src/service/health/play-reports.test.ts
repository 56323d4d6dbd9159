import { expect, test } from 'vitest';
import type { PlaybackReport } from '../../shared/model/live.ts';
import { PlayReports } from './play-reports.ts';

const playing: PlaybackReport = { state: 'playing', stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 300 };
const stalled: PlaybackReport = { ...playing, state: 'stalled', stalls: 1, stalledSeconds: 2 };

function createReports() {
  const clock = { time: 1_000, monotonicMs: () => clock.time };
  const changed: string[] = [];
  return { clock, changed, reports: new PlayReports({ clock, onChange: (streamId) => changed.push(streamId) }) };
}

test('the newest report of each page counts for 5 s', () => {
  const { clock, changed, reports } = createReports();
  reports.add('a', 'page-1', stalled);
  reports.add('a', 'page-2', playing);
  reports.add('a', 'page-1', playing);
  clock.time += 4_000;
  reports.add('a', 'page-2', stalled);
  expect(reports.of('a').map(({ pageId, report }) => [pageId, report])).toEqual([
    ['page-1', playing],
    ['page-2', stalled],
  ]);
  expect(reports.of('b')).toEqual([]);
  clock.time += 1_001;
  expect(reports.of('a').map(({ report }) => report)).toEqual([stalled]);
  expect(changed).toEqual(['a', 'a', 'a', 'a']);
});

test("a page's report is dropped when its monitor closes", () => {
  const { reports } = createReports();
  reports.add('a', 'page-1', stalled);
  reports.add('a', 'page-1', { ...stalled, state: 'closed' });
  expect(reports.of('a')).toEqual([]);
});

test('for a page that reports very often the sums cover a shorter time, and memory stays limited', () => {
  const { clock, reports } = createReports();
  const report = (stalls: number) => {
    reports.add('a', 'page-1', { ...playing, stalls });
    clock.time += 100;
  };
  for (let stalls = 0; stalls < 500; stalls += 1) report(stalls);
  expect(reports.of('a')[0]?.recent.stalls).toBe(99);
});

test('a page that invents a new id with each report takes no memory', () => {
  const { reports } = createReports();
  for (let page = 0; page < 1_000; page += 1) reports.add('a', `page-${page}`, playing);
  expect(reports.of('a')).toHaveLength(32);
});

test('stalls and dropped frames count for a minute, but not while the player starts', () => {
  const { clock, reports } = createReports();
  /** One report per second, as pages send them. */
  const tell = (seconds: number, sums: Partial<PlaybackReport>) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.time += 1_000;
      reports.add('a', 'page', { ...playing, decodedFrames: (clock.time / 1_000) * 30, ...sums });
    }
    const [{ recent, isSettled } = {}] = reports.of('a');
    return [recent?.stalls, recent?.stalledSeconds, recent?.droppedFrames, recent?.decodedFrames, isSettled];
  };
  expect([
    tell(5, { stalls: 1, stalledSeconds: 2 }),
    tell(2, { stalls: 1, stalledSeconds: 2 }),
    tell(1, { stalls: 2, stalledSeconds: 3, droppedFrames: 4 }),
    tell(58, { stalls: 2, stalledSeconds: 3, droppedFrames: 4 }),
    tell(3, { stalls: 2, stalledSeconds: 3, droppedFrames: 4 }),
  ]).toEqual([
    [0, 0, 0, 0, false],
    [0, 0, 0, 30, true],
    [1, 1, 4, 60, true],
    [1, 1, 4, 1_800, true],
    [0, 0, 0, 1_800, true],
  ]);
});

test('stalls while the encoder sends nothing, or pauses, do not count', () => {
  const { clock, reports } = createReports();
  const seen = () => reports.of('a').map(({ recent, isStarted, isSettled }) => [recent.stalls, isStarted, isSettled]);
  reports.add('a', 'page', playing);
  clock.time += 4_000;
  reports.add('a', 'page', playing);
  clock.time += 4_000;
  reports.add('a', 'page', stalled);
  expect(seen()).toEqual([[1, true, true]]);
  reports.ignoreStalls('a');
  expect(seen()).toEqual([[0, true, false]]);
  clock.time += 1_000;
  reports.add('a', 'page', { ...stalled, stalls: 2 });
  expect(seen()).toEqual([[0, true, false]]);
  for (let second = 0; second < 6; second += 1) {
    clock.time += 1_000;
    reports.add('a', 'page', { ...stalled, stalls: 3 });
  }
  expect(seen()).toEqual([[0, true, true]]);
  reports.add('a', 'page', { ...stalled, stalls: 4 });
  expect(seen()).toEqual([[1, true, true]]);
  reports.rest('a');
  expect(seen()).toEqual([[0, false, false]]);
});

test.each([{ stalls: 1 }, { decodedFrames: 20 }])('a player whose sums have fallen to %o has begun again', (fallen) => {
  const { clock, reports } = createReports();
  reports.add('a', 'page', { ...playing, stalls: 2 });
  clock.time += 4_000;
  reports.add('a', 'page', { ...playing, stalls: 3 });
  clock.time += 4_000;
  const report = { ...playing, stalls: 3, ...fallen };
  reports.add('a', 'page', report);
  const recent = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 0 };
  expect(reports.of('a')).toEqual([{ pageId: 'page', report, recent, isStarted: false, isSettled: false }]);
});
