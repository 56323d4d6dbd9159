import { expect, test } from 'vitest';
import type { Severity } from '../../../shared/model/live.ts';
import { describeLead } from './describe-lead.ts';

const meters = {
  measuredAt: 0,
  bitrateBps: 2_512_000,
  targetBitrateBps: 3_160_000,
  droppedFrames: { count: 12, ratio: 0.0067 },
};

type LeadArgs = Parameters<typeof describeLead>;

/** The numbers as they read on screen beside a verdict as bad as any. */
function read(measured: LeadArgs[0], latency: LeadArgs[1], facts: LeadArgs[2], isCoarse = false): string[] {
  return describeLead(measured, latency, facts, { isCoarse, worst: 'bad' }).map(({ name, value, unit, note, severity }) =>
    [`${name}: ${value ?? '–'}`, unit, note, `(${severity})`].filter(Boolean).join(' '),
  );
}

test('a broadcast leads with bitrate against target, dropped frames, latency and stalls', () => {
  expect(read(meters, { fromCapture: true }, { latencySeconds: 0.94, stalls: 0, stalledSeconds: 0 })).toEqual([
    'Bitrate: 2\u202f512 of 3\u202f160\u00a0kbit/s (good)',
    'Dropped frames: 0.67 % · 12 in a minute (good)',
    'Latency: 0.9 s behind you (good)',
    'Stalls: 0 (good)',
  ]);
});

test('many dropped frames and stalls are marked', () => {
  const lossy = (ratio: number) =>
    read({ ...meters, droppedFrames: { count: 1_200, ratio } }, undefined, {
      stalls: 2,
      stalledSeconds: 3.25,
      recentStalls: 2,
      recentStalledSeconds: 3.25,
    });
  expect(lossy(0.02).slice(1, 2)).toEqual(['Dropped frames: 2.0 % · 1\u202f200 in a minute (warn)']);
  expect(lossy(0.5)).toEqual([
    'Bitrate: 2\u202f512 of 3\u202f160\u00a0kbit/s (good)',
    'Dropped frames: 50 % · 1\u202f200 in a minute (bad)',
    'Latency: – s behind live (good)',
    'Stalls: 2 · 3.3\u00a0s in total (warn)',
  ]);
});

test('a bitrate at which the picture is coarse is marked', () => {
  expect(read(meters, undefined, {}, true)[0]).toBe('Bitrate: 2\u202f512 of 3\u202f160\u00a0kbit/s (warn)');
});

test('no number looks worse than the verdict, as after a loss that is over', () => {
  const lossy = { ...meters, droppedFrames: { count: 180, ratio: 0.1 } };
  const stalled = { stalls: 2, recentStalls: 2, recentStalledSeconds: 3 };
  const tones = (worst: Severity) =>
    describeLead(lossy, undefined, stalled, { isCoarse: true, worst }).map(({ severity }) => severity);
  expect([tones('good'), tones('warn'), tones('bad')]).toEqual([
    ['good', 'good', 'good', 'good'],
    ['warn', 'warn', 'good', 'warn'],
    ['warn', 'bad', 'good', 'warn'],
  ]);
});

test('unknown values are shown as unknown', () => {
  expect(read(undefined, undefined, {})).toEqual([
    'Bitrate: – kbit/s (good)',
    'Dropped frames: – % (good)',
    'Latency: – s behind live (good)',
    'Stalls: – (good)',
  ]);
});

test('stalls are marked for a minute, like the verdict; early ones and hiccups are not', () => {
  const stalls = (recentStalls: number, recentStalledSeconds: number) =>
    read(undefined, undefined, { stalls: 3, stalledSeconds: 4, recentStalls, recentStalledSeconds })[3];
  expect([stalls(0, 0), stalls(1, 0.6), stalls(1, 1), stalls(2, 0.9)]).toEqual([
    'Stalls: 3 · 4.0\u00a0s in total (good)',
    'Stalls: 3 · 4.0\u00a0s in total (good)',
    'Stalls: 3 · 4.0\u00a0s in total (warn)',
    'Stalls: 3 · 4.0\u00a0s in total (warn)',
  ]);
});
