import { expect, test } from 'vitest';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { defaultLadderBounds } from './ladder-bounds.ts';
import { LadderSupervisor } from './ladder-supervisor.ts';

const crashed = { code: 'exited' } as const;

/** Runs that crash at these times, having put out media or not. */
function crash(encoder: EncoderName, ...crashes: [atMs: number, hasWorked: boolean][]) {
  const supervisor = new LadderSupervisor(encoder, defaultLadderBounds);
  return crashes.map(([atMs, hasWorked]) => {
    supervisor.watch({ startMs: 0, dueMs: 0, lastOutMs: hasWorked ? 0 : undefined }, atMs);
    const after = supervisor.decideAfterCrash(atMs, crashed);
    const what = typeof after === 'string' ? after : `rest ${after.restMs / 1000} s after ${after.count}`;
    return `${what}, ${supervisor.encoder}`;
  });
}

const restart = 'restart, libx264';

test('x264 is restarted, up to five crashes within a minute, and then rests', () => {
  const crashes = [0, 10_000, 20_000, 30_000, 59_999].map((atMs): [number, boolean] => [atMs, false]);
  expect(crash('libx264', ...crashes)).toEqual([restart, restart, restart, restart, 'rest 60 s after 5, libx264']);
  expect(crash('libx264', ...crashes.slice(0, 4), [60_000, true])).toEqual(Array(5).fill(restart));
});

test('an attempt after a rest that fails at once is followed by a longer one, and one that works by none', () => {
  const minutes = (minute: number, hasWorked: boolean): [number, boolean] => [minute * 60_000, hasWorked];
  const five = [0, 1, 2, 3, 4].map((ms): [number, boolean] => [ms, true]);
  const rests = (...attempts: [number, boolean][]) => crash('libx264', ...five, ...attempts).slice(4);
  expect(rests(...[1, 3, 7, 15, 23].map((minute) => minutes(minute + 1, false)))).toEqual(
    ['60 s after 5', '120 s after 1', '240 s after 1', '480 s after 1', '480 s after 1', '480 s after 1'].map(
      (rest) => `rest ${rest}, libx264`,
    ),
  );
  expect(rests(minutes(2, true), minutes(3, false))).toEqual(['rest 60 s after 5, libx264', restart, restart]);
  const supervisor = new LadderSupervisor('libx264', defaultLadderBounds);
  for (const [atMs] of five) supervisor.decideAfterCrash(atMs, crashed);
  // The attempt works until the source's parameters change.
  supervisor.watch({ startMs: 0, dueMs: 0, lastOutMs: 0 }, 100_000);
  supervisor.watch({ startMs: 0, dueMs: 0, lastOutMs: undefined }, 200_000);
  expect(supervisor.decideAfterCrash(200_000, crashed)).toBe('restart');
  // Old failures don't count.
  expect(rests(...five.map(([ms]) => minutes(60 + ms / 60_000, true))).at(-1)).toBe('rest 60 s after 5, libx264');
});

test('hardware that worked, or was started while another ffmpeg drained, gets a second chance, and other hardware none', () => {
  expect(crash('h264_nvenc', [0, true], [1_000, true], [2_000, true])).toEqual([
    'restart, h264_nvenc',
    'fall-back, libx264',
    restart,
  ]);
  expect(crash('h264_nvenc', [0, false], [1_000, false])).toEqual(['fall-back, libx264', restart]);
  const supervisor = new LadderSupervisor('h264_nvenc', defaultLadderBounds);
  const refuse = (atMs: number, overlaps: boolean) => {
    supervisor.watch({ startMs: 0, dueMs: 0, lastOutMs: undefined }, atMs, { overlaps });
    return supervisor.decideAfterCrash(atMs, crashed);
  };
  // It may have been refused because another one was still draining.
  expect([refuse(0, true), refuse(60_000, false)]).toEqual(['restart', 'fall-back']);
  // A minute later it is trusted again.
  expect(crash('h264_nvenc', [0, true], [60_000, true])).toEqual(['restart, h264_nvenc', 'restart, h264_nvenc']);
});

test('an ffmpeg that could not be started takes no chance from hardware, but counts for a rest', () => {
  const supervisor = new LadderSupervisor('h264_nvenc', defaultLadderBounds);
  const crashOnce = (atMs: number, hasStarted: boolean) => {
    supervisor.watch({ startMs: 0, dueMs: 0, lastOutMs: hasStarted ? 0 : undefined }, atMs);
    return supervisor.decideAfterCrash(atMs, hasStarted ? crashed : { code: 'not-started' });
  };
  const crashes = [false, false, true, false].map((hasStarted, index) => crashOnce(index * 1_000, hasStarted));
  expect(crashes).toEqual(Array(4).fill('restart'));
  expect(supervisor.encoder).toBe('h264_nvenc');
  expect(crashOnce(4_000, true)).toEqual({ restMs: 60_000, count: 5 });
});

/** The pace, each second, of a run that is fed a second each time and has put out up to `outMs` of it, if anything. */
function fallBehind(encoder: EncoderName, outMs: (fedMs: number) => number | undefined) {
  const supervisor = new LadderSupervisor(encoder, defaultLadderBounds);
  const run = { startMs: 0, dueMs: 0, lastOutMs: outMs(0) };
  supervisor.watch(run, 0);
  return Array.from({ length: 8 }, (_, index) => {
    run.dueMs += 1_000;
    run.lastOutMs = outMs(run.dueMs);
    return supervisor.check((index + 1) * 1_000);
  });
}

test('hardware that puts out nothing is stalled where another encoder is slow, whether it has worked before or not', () => {
  const begin = ['well', 'lagging', 'lagging', 'lagging', 'lagging', 'lagging'];
  expect(fallBehind('h264_nvenc', () => undefined)).toEqual([...begin, 'stalled', 'stalled']);
  expect(fallBehind('h264_nvenc', () => 0)).toEqual([...begin, 'stalled', 'stalled']);
  expect(fallBehind('libx264', () => undefined)).toEqual([...begin, 'slow', 'slow']);
  expect(fallBehind('libx264', () => 0)).toEqual([...begin, 'slow', 'slow']);
});

test('hardware that puts out less than it gets is slow', () => {
  const paces = fallBehind('h264_nvenc', (fedMs) => fedMs / 4);
  expect(paces).toEqual(['well', 'lagging', 'lagging', 'lagging', 'lagging', 'lagging', 'slow', 'slow']);
});
