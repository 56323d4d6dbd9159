import { expect, test } from 'vitest';
import { StallAllowance } from './stall-allowance.ts';

const minuteMs = 60_000;

/** An allowance of 0.2 s for each stall, asked twice a second, and how far all stalls move the player back, in seconds. */
function setUp() {
  const allowance = new StallAllowance(0.2);
  let now = 0;
  let stalls = 0;
  let seconds = 0;
  const ask = () => {
    seconds = Number((stalls * allowance.findIncrease(now)).toFixed(9));
    return seconds;
  };
  return {
    allowance,
    stall(times = 1) {
      for (let time = 0; time < times; time += 1) allowance.note(now);
      stalls += times;
      return ask();
    },
    /** Lets time pass and returns how far back the player is after it. */
    pass(ms: number) {
      for (const endMs = now + ms; now < endMs; ) {
        now += 500;
        ask();
      }
      return seconds;
    },
  };
}

test('before the first stall, each is to move the player back by its full step', () => {
  expect(new StallAllowance(0.2).findIncrease(0)).toBe(0.2);
});

test('stalls move the player back, and once ten minutes are quiet, a third of them is forgotten, at least one', () => {
  const { stall, pass } = setUp();
  expect([stall(), pass(5 * minuteMs), stall(6), pass(10 * minuteMs - 500)]).toEqual([0.2, 0.2, 1.4, 1.4]);
  // The first at once, the next 3 s later.
  expect([pass(500), pass(2_500), pass(500), pass(3_000)]).toEqual([1.2, 1.2, 1, 1]);
  const everyTenMinutes = Array.from({ length: 6 }, () => pass(10 * minuteMs));
  expect(everyTenMinutes).toEqual([0.8, 0.6, 0.4, 0.2, 0, 0]);
});

test('the most that hls.js adds, with a target duration of 9 s, is gone within two hours', () => {
  const { stall, pass } = setUp();
  expect([stall(45), pass(60 * minuteMs), pass(60 * minuteMs)]).toEqual([9, 1.2, 0]);
});

test('stalls that were forgotten leave no trace on those that follow', () => {
  const { stall, pass } = setUp();
  expect([stall(3), pass(40 * minuteMs), stall(), pass(9 * minuteMs), stall(), pass(40 * minuteMs)]).toEqual([
    0.6, 0, 0.2, 0.2, 0.4, 0,
  ]);
});

test('a stall ends the forgetting', () => {
  const { stall, pass } = setUp();
  expect([stall(10), pass(10 * minuteMs), stall(), pass(9 * minuteMs)]).toEqual([2, 1.8, 2, 2]);
});

test('a network that stalls every three minutes, unless it is allowed a second, stalls a quarter as often', () => {
  const { stall, pass } = setUp();
  let troubles = 0;
  let stalls = 0;
  for (let allowedSeconds = 0; troubles < 200; troubles += 1) {
    if (allowedSeconds < 1) {
      stall();
      stalls += 1;
    }
    allowedSeconds = pass(3 * minuteMs);
  }
  expect([troubles, stalls]).toEqual([200, 53]);
});
