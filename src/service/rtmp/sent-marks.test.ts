import { expect, test } from 'vitest';
import { SentMarks } from './sent-marks.ts';

test('an acknowledgement tells when the newest message that it is about was produced, and forgets older ones', () => {
  const marks = new SentMarks();
  for (let index = 1; index <= 5; index += 1) marks.add(index * 100, index);
  expect(marks.find(150)).toBe(2);
  expect(marks.acknowledge(250)).toBe(3);
  // Part of the third message is missing.
  expect(marks.count).toBe(3);
  expect(marks.acknowledge(400)).toBe(4);
  expect(marks.count).toBe(1);
  expect(marks.acknowledge(900)).toBe(5);
  expect([marks.count, marks.find(900), marks.acknowledge(1_000)]).toEqual([0, undefined, undefined]);
});

test('without acknowledgements only so many messages are kept, and each is still known to within a fiftieth of its age', () => {
  const marks = new SentMarks();
  const messages = 6 * 3600 * 77;
  let most = 0;
  for (let index = 1; index <= messages; index += 1) {
    marks.add(index * 1_000, index * 13);
    most = Math.max(most, marks.count);
  }
  expect(most).toBeLessThanOrEqual(2_000);
  for (let ago = 0; ago < messages - 1; ago = Math.ceil((ago + 1) * 1.1)) {
    const producedMs = (messages - ago) * 13;
    const foundMs = marks.find((messages - ago) * 1_000) ?? Number.NaN;
    expect(foundMs - producedMs, `${ago} messages ago`).toBeGreaterThanOrEqual(0);
    expect(foundMs - producedMs, `${ago} messages ago`).toBeLessThanOrEqual((ago * 13) / 50);
  }
});

test('messages of the same time are not kept either', () => {
  const marks = new SentMarks();
  for (let index = 1; index <= 10_000; index += 1) marks.add(index, 7);
  expect(marks.count).toBeLessThanOrEqual(2_000);
  expect(marks.acknowledge(5_000)).toBe(7);
});
