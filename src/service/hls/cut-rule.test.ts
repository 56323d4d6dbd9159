import { expect, test } from 'vitest';
import { CutRule } from './cut-rule.ts';
import type { PlaylistTargets } from './playlist-targets.ts';

const fixed = { fps: 30, fpsPromised: true };

const usual: PlaylistTargets = { durationSeconds: 2, partMs: 200 };

/** A rule for segments of 2 s that has seen GOPs of these lengths, and has promised this, or nothing yet. */
function createRule(gopsMs: readonly number[], promised: PlaylistTargets | 'nothing' = usual): CutRule {
  const rule = new CutRule({ aimMs: 2_000, toleranceMs: 50, partMs: 200 }, promised === 'nothing' ? undefined : promised);
  let timeMs = 0;
  rule.addKeyframe(timeMs);
  for (const gopMs of gopsMs) {
    timeMs += gopMs;
    rule.addKeyframe(timeMs);
  }
  return rule;
}

/** The first of these whole milliseconds at which a keyframe ends the segment. */
function findDue(rule: CutRule, leavesShortPart = false): number | undefined {
  return Array.from({ length: 3_000 }, (_, elapsedMs) => elapsedMs).find((elapsedMs) => rule.isDue(elapsedMs, leavesShortPart));
}

test('the first segment ends at any keyframe after 0.1 s, and makes the promise', () => {
  const rule = createRule([], 'nothing');
  expect([rule.targets, rule.aimMs, rule.longestMs, rule.dividedMs]).toEqual([undefined, 2_000, Infinity, Infinity]);
  expect(findDue(rule)).toBe(100);
  rule.addKeyframe(1_001);
  expect(rule.settle(9_000, fixed)).toEqual({ durationSeconds: 9, partMs: 200 });
  expect(rule.settle(2_000, fixed)).toEqual({ durationSeconds: 9, partMs: 200 });
  expect(rule.settleAudio(20)).toEqual({ durationSeconds: 9, partMs: 200 });
  expect([rule.targets, rule.aimMs, rule.longestMs, rule.dividedMs]).toEqual([
    { durationSeconds: 9, partMs: 200 },
    2_000,
    9_499,
    9_400,
  ]);
});

test('without a second keyframe the first segment is a GOP; with audio only, parts are whole frames', () => {
  const steps = { fps: undefined, fpsPromised: false };
  expect(createRule([], 'nothing').settle(1_100, steps)).toEqual({ durationSeconds: 2, partMs: 1_100 / 6 });
  expect(createRule([1_000], 'nothing').settle(1_100, steps)).toEqual({ durationSeconds: 2, partMs: 200 });
  expect(createRule([90, 1_100], 'nothing').settle(1_190, steps)).toEqual({ durationSeconds: 2, partMs: 1_100 / 6 });
  expect(createRule([], 'nothing').settleAudio(30)).toEqual({ durationSeconds: 2, partMs: 210 });
});

test('a promise of shorter segments than these holds', () => {
  const rule = createRule([400], { durationSeconds: 1, partMs: 400 });
  expect([rule.aimMs, rule.longestMs, rule.dividedMs, findDue(rule)]).toEqual([1_000, 1_499, 1_200, 950]);
  // A part target longer than a segment makes each segment one part.
  expect(createRule([], { durationSeconds: 1, partMs: 2_000 }).dividedMs).toBe(2_000);
});

test.each([
  // With the next GOP the segment would get too long, so it ends as soon as it is long enough.
  [[2_100], 450],
  [[2_000], 498],
  [[], 450],
  [[1_500], 998],
  [[600], 1_898],
  // The segment has the wanted length, whatever comes next.
  [[500], 1_950],
  // The longest of eight is expected.
  [[1_000, ...Array(7).fill(500)], 1_498],
  [[1_000, ...Array(8).fill(500)], 1_950],
  // Timestamps that go back or repeat tell no GOP length.
  [[-9_000], 450],
  [[0], 450],
])('after GOPs of %j ms, a keyframe ends a segment from %i ms on', (gopsMs, dueMs) => {
  expect(findDue(createRule(gopsMs))).toBe(dueMs);
});

test('a keyframe that leaves a short part ends the segment, if that is long enough', () => {
  expect(findDue(createRule([500]), true)).toBe(450);
});

test('a keyframe after a pause ends no GOP', () => {
  const rule = createRule([500]);
  rule.forgetKeyframe();
  rule.addKeyframe(60_000);
  expect(findDue(rule)).toBe(1_950);
  rule.addKeyframe(60_600);
  expect(findDue(rule)).toBe(1_898);
});
