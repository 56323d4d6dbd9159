import { expect, test } from 'vitest';
import { JumpAllowance } from './jump-allowance.ts';

const slackSeconds = 1.5;
const stepSeconds = 0.25;
const catchUpRate = 1.0625;

/** What a viewer has seen of a player: how often it jumped, how long its picture moved, and how far behind it ended. */
interface Seen {
  jumps: number;
  playedSeconds: number;
  behindSeconds: number;
}

/**
 * Plays for a minute in simulated time. The picture begins this far behind the player's target, and each jump takes `jumpSeconds`, in which
 * live moves on. It decides four times a second, as at each new part.
 */
function play(beginsSeconds: number, jumpSeconds: (jump: number) => number): Seen {
  const allowance = new JumpAllowance();
  const seen: Seen = { jumps: 0, playedSeconds: 0, behindSeconds: beginsSeconds };
  let waitsSeconds = 0;
  for (let atSeconds = 0; atSeconds < 60; atSeconds += stepSeconds) {
    const isUnderWay = waitsSeconds > 0;
    const { behindSeconds } = seen;
    if (behindSeconds > allowance.find({ isUnderWay, behindSeconds }, slackSeconds)) {
      seen.jumps += 1;
      seen.behindSeconds = 0;
      waitsSeconds = jumpSeconds(seen.jumps);
    }
    if (waitsSeconds > 0) {
      waitsSeconds -= stepSeconds;
      seen.behindSeconds += stepSeconds;
    } else {
      seen.playedSeconds += stepSeconds;
      seen.behindSeconds = Math.max(0, seen.behindSeconds - (catchUpRate - 1) * stepSeconds);
    }
  }
  return seen;
}

test('a player whose picture is within its slack catches up without a jump', () => {
  expect(play(1.5, () => 0.5)).toEqual({ jumps: 0, playedSeconds: 60, behindSeconds: 0 });
});

test('a player that is too far behind jumps once if the jump arrives soon', () => {
  expect(play(9, () => 0.5)).toEqual({ jumps: 1, playedSeconds: 59.5, behindSeconds: 0 });
});

test('where each jump takes longer than the slack, two are made, and then it plays and catches up', () => {
  expect(play(9, () => 2.5)).toEqual({ jumps: 2, playedSeconds: 55, behindSeconds: 0 });
});

test('where a jump takes so long only once, the next one arrives', () => {
  expect(play(9, (jump) => (jump === 1 ? 8 : 0.5))).toEqual({ jumps: 2, playedSeconds: 51.5, behindSeconds: 0 });
});

test('once it has caught up, a player jumps again from no farther than before', () => {
  const allowance = new JumpAllowance();
  const find = (behindSeconds: number, isUnderWay = false) => allowance.find({ isUnderWay, behindSeconds }, slackSeconds);
  const found = [find(9), find(2, true), find(3), find(1, true), find(2.5), find(3.75), find(1), find(0), find(2)];
  const never = Number.POSITIVE_INFINITY;
  expect(found).toEqual([1.5, never, 1.5, never, 4, 4, 2.5, 1.5, 1.5]);
});
