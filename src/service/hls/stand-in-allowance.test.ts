import { expect, test } from 'vitest';
import { StandInAllowance } from './stand-in-allowance.ts';

test('half a minute may be made at once, and no more until time passes or frames come', () => {
  const allowance = new StandInAllowance();
  expect(allowance.take(2_000, 20)).toBe(1_500);
  expect(allowance.take(1, 20)).toBe(0);
});

test('both tracks may be replaced as long as a publisher sends in real time, however rarely its frames come', () => {
  const allowance = new StandInAllowance();
  for (let second = 0; second < 3_600; second += 5) {
    allowance.earn(1_000_000 + second * 1000);
    expect([allowance.take(250, 20), allowance.take(150, 1000 / 30)]).toEqual([250, 150]);
  }
});

test('a publisher that sends faster than real time earns by its frames', () => {
  const allowance = new StandInAllowance();
  allowance.take(1_500, 20);
  for (let frame = 0; frame < 30; frame += 1) allowance.earn(2_000_000);
  expect(allowance.take(1_000, 20)).toBe(150);
  allowance.earn(2_000_040);
  expect(allowance.take(1_000, 20)).toBe(10);
});
