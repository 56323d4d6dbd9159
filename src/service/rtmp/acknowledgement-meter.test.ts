import { expect, test } from 'vitest';
import { AcknowledgementMeter } from './acknowledgement-meter.ts';

const windowBytes = 1_000;

/** In flight and overdue after some acknowledgements, each with what had been sent when it came. */
function measure(acknowledgements: [sequenceNumber: number, sentBytes: number][], sentBytes: number) {
  const meter = new AcknowledgementMeter(windowBytes);
  for (const [sequenceNumber, sent] of acknowledgements) meter.receive(sequenceNumber, sent);
  return { inFlightBytes: meter.inFlightBytes(sentBytes), overdue: meter.findOverdue(sentBytes) };
}

test('without an acknowledgement nothing is known', () => {
  expect(measure([], 1_000_000)).toEqual({ inFlightBytes: undefined, overdue: undefined });
});

test('what was missing at the last acknowledgement is in flight', () => {
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
