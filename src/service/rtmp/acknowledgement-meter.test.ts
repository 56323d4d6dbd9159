import { expect, test } from 'vitest';
import { AcknowledgementMeter } from './acknowledgement-meter.ts';

const windowBytes = 1_000;

/**
 * The bytes in flight, and whether the next acknowledgement is overdue, after these; each with how much had been sent when it
 * came.
 */
function measure(acknowledgements: [sequenceNumber: number, sentBytes: number][], sentBytes: number) {
  const meter = new AcknowledgementMeter(windowBytes);
  for (const [sequenceNumber, sent] of acknowledgements) meter.receive(sequenceNumber, sent);
  return { inFlightBytes: meter.inFlightBytes(sentBytes), overdue: meter.findOverdue(sentBytes) };
}

test('without an acknowledgement nothing is known', () => {
  expect(measure([], 1_000_000)).toEqual({ inFlightBytes: undefined, overdue: undefined });
});

test('bytes that were missing at the last acknowledgement are in flight', () => {
  expect(measure([[1_000, 1_250]], 1_250)).toEqual({ inFlightBytes: 250, overdue: undefined });
  expect(
    measure(
      [
        [1_000, 1_250],
        [2_000, 2_010],
      ],
      2_900,
    ),
  ).toEqual({ inFlightBytes: 10, overdue: undefined });
});

test('it grows once the next acknowledgement is due, and is overdue after twice the window', () => {
  const sent = (bytes: number) => measure([[1_000, 1_100]], bytes);
  expect(sent(2_100)).toEqual({ inFlightBytes: 100, overdue: undefined });
  expect(sent(2_500)).toEqual({ inFlightBytes: 500, overdue: undefined });
  expect(sent(3_000)).toEqual({ inFlightBytes: 1_000, overdue: undefined });
  expect(sent(3_001)).toEqual({ inFlightBytes: 1_001, overdue: 1_000 });
});

test('a peer that acknowledges more seldom than we ask is judged by its own habit', () => {
  expect(measure([[2_500, 2_600]], 7_500)).toEqual({ inFlightBytes: 2_500, overdue: undefined });
  expect(measure([[2_500, 2_600]], 7_501)).toEqual({ inFlightBytes: 2_501, overdue: 2_500 });
});

test('a peer that was busy once has no other habit', () => {
  const acknowledgements: [number, number][] = [
    [1_000, 1_000],
    [9_000, 9_000],
  ];
  expect(measure(acknowledgements, 11_001)).toEqual({ inFlightBytes: 1_001, overdue: 9_000 });
});

test('counts wrap at 2^32', () => {
  const last = 2 ** 32 - 100;
  const acknowledgements: [number, number][] = [
    [last - 1_000, last - 1_000],
    [last, 2 ** 32 + 50],
  ];
  const meter = new AcknowledgementMeter(windowBytes);
  // A peer that has acknowledged from the start.
  for (let bytes = 0; bytes < last - 1_000; bytes += 2 ** 20) meter.receive(bytes, bytes);
  for (const [sequenceNumber, sent] of acknowledgements) meter.receive(sequenceNumber, sent);
  expect([meter.inFlightBytes(2 ** 32 + 50), meter.findOverdue(2 ** 32 + 50)]).toEqual([150, undefined]);
});

test('a peer that acknowledges more than was sent has everything', () => {
  expect(measure([[4_000, 1_000]], 1_500)).toEqual({ inFlightBytes: 0, overdue: undefined });
});

/** The same after every 100 MiB of 6 GB, with a peer that counts like this and always lacks 250,000 bytes. */
function follow(count: (receivedBytes: number) => number): unknown[] {
  const meter = new AcknowledgementMeter(windowBytes);
  const lackedBytes = 250_000;
  const found: unknown[] = [];
  for (let sentBytes = 2 ** 20; sentBytes < 6e9; sentBytes += 2 ** 20) {
    meter.receive(count(sentBytes - lackedBytes), sentBytes);
    if (sentBytes % (100 * 2 ** 20) === 0) found.push([meter.inFlightBytes(sentBytes), meter.findOverdue(sentBytes + 2 ** 20)]);
  }
  return found;
}

test.each<[string, (receivedBytes: number) => number]>([
  ['from 0 again at 0xf0000000, as nginx-rtmp does', (bytes) => bytes % 0xf0000000],
  ['in 31 bits', (bytes) => bytes % 2 ** 31],
  ['in 32 bits', (bytes) => bytes % 2 ** 32],
])('a peer that counts %s is understood over gigabytes', (_, count) => {
  const found = follow(count);
  expect(found).toHaveLength(57);
  expect(found).toEqual(Array(57).fill([250_000, undefined]));
});

test('after a peer has restarted its count, it is known how much it lacks, and whether it is overdue', () => {
  const meter = new AcknowledgementMeter(windowBytes);
  for (let bytes = 2 ** 20; bytes < 0xf0000000; bytes += 2 ** 20) meter.receive(bytes, bytes + 100);
  meter.receive(1_000, 0xf0000000 + 5_000);
  // The byte at which its count restarted is unknown yet: it is assumed to lack the least that it ever did.
  expect(meter.inFlightBytes(0xf0000000 + 5_000)).toBe(100);
  meter.receive(2_000, 0xf0000000 + 9_000);
  expect(meter.inFlightBytes(0xf0000000 + 9_000)).toBe(3_100);
  // It can't have received more than was sent.
  meter.receive(6_000, 0xf0000000 + 9_500);
  expect(meter.inFlightBytes(0xf0000000 + 9_500)).toBe(0);
  meter.receive(7_000, 0xf0000000 + 10_600);
  expect([meter.inFlightBytes(0xf0000000 + 10_600), meter.findOverdue(0xf0000000 + 12_601)]).toEqual([100, 7_000]);
});

test.each([
  ['always the same', [1_000, 1_000, 1_000, 1_000, 1_000, 1_000]],
  ['more and less', [1_100, 1_300, 1_050, 1_400, 1_500, 1_100]],
])('a peer that counts since its last acknowledgement is understood: %s', (_, numbers) => {
  const meter = new AcknowledgementMeter(windowBytes);
  let receivedBytes = 0;
  const found: unknown[] = [];
  for (const number of [...numbers, ...numbers]) {
    receivedBytes += number;
    meter.receive(number, receivedBytes + 250);
    found.push([meter.inFlightBytes(receivedBytes + 300), meter.findOverdue(receivedBytes + 9_000)]);
  }
  let expectedBytes = 0;
  const expected = numbers.map((number) => {
    expectedBytes += number;
    return [250, expectedBytes];
  });
  // As long as the numbers grow, they may be totals.
  expect(found.slice(2, 6)).toEqual(expected.slice(2));
  // Each acknowledgement shows, even while the next is overdue, that the peer still receives.
  expect(new Set(found.map(String)).size).toBe(12);
  expect(meter.findOverdue(receivedBytes + 1_250)).toBeUndefined();
});

test('a peer that repeats an acknowledgement at first is understood, too', () => {
  const meter = new AcknowledgementMeter(windowBytes);
  meter.receive(50_000, 100_000);
  meter.receive(50_000, 100_000);
  for (let bytes = 100_000; bytes <= 1_000_000; bytes += 50_000) meter.receive(bytes, bytes + 100);
  // The bytes that it lacked when it repeated itself are assumed to have arrived.
  expect([meter.inFlightBytes(1_000_100), meter.findOverdue(1_002_000)]).toEqual([0, undefined]);
  // Repeating itself is no habit, and it is seen that it lacks something.
  meter.receive(1_000_000, 1_000_100);
  expect([1_100_100, 1_100_101].map((sentBytes) => meter.findOverdue(sentBytes))).toEqual([undefined, 1_000_000]);
  meter.receive(1_050_000, 1_300_100);
  expect(meter.inFlightBytes(1_300_100)).toBe(250_000);
});

test('a peer that counts since its last acknowledgement, and acknowledges more seldom than we ask, is judged by its own habit', () => {
  const meter = new AcknowledgementMeter(windowBytes);
  // While its numbers grow, they may be totals.
  for (const [number, receivedBytes] of [
    [5_000, 5_000],
    [5_200, 10_200],
    [5_100, 15_300],
  ] as const) {
    meter.receive(number, receivedBytes);
  }
  expect([25_500, 25_501].map((sentBytes) => meter.findOverdue(sentBytes))).toEqual([undefined, 15_300]);
});
