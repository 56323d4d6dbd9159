import { expect, test } from 'vitest';
import { median } from './median.ts';

test.each([
  { numbers: [], middle: undefined },
  { numbers: [7], middle: 7 },
  { numbers: [10, 9], middle: 10 },
  { numbers: [100, 1, 20], middle: 20 },
  { numbers: [Number.POSITIVE_INFINITY, 3, 1, 2], middle: 3 },
])('the median of $numbers is $middle', ({ numbers, middle }) => {
  expect(median(numbers)).toBe(middle);
});
