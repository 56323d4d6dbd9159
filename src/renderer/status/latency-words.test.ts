import { expect, test } from 'vitest';
import { describeLatency } from './latency-words.ts';

test('latency is from you or from your encoder only where that is known', () => {
  expect([undefined, { fromCapture: false }, { fromCapture: true }].map((latency) => describeLatency(latency))).toEqual([
    {
      name: 'behind live',
      sentence: 'Measured from the times in the playlist, which may be times of capture or of arrival.',
    },
    {
      name: 'behind your encoder',
      sentence: "Measured from arrival here: this encoder doesn't send its capture time, so its own delay isn't included.",
    },
    { name: 'behind you', sentence: 'Measured from capture: the stream carries the capture time.' },
  ]);
});
