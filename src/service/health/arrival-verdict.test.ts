import { expect, test } from 'vitest';
import { healthy } from '../../../test/support/health-facts.ts';
import { ArrivalPauses } from './arrival-pauses.ts';
import { arrivalVerdict } from './arrival-verdict.ts';
import { PaceMeter } from './pace-meter.ts';

/** The verdicts on a minute of 30 frames a second that come all at once whenever `stepMs` of them are there, at this share of real time. */
function judgeSteps(stepMs: number, speed: number): (string | undefined)[] {
  const [meter, pauses] = [new PaceMeter(), new ArrivalPauses()];
  const verdicts = Array.from({ length: 60 * 30 }, (_, frame) => {
    const mediaMs = Math.round((frame * 1000) / 30);
    const atMs = ((Math.floor(mediaMs / stepMs) + 1) * stepMs) / speed;
    meter.add(mediaMs, atMs);
    pauses.add(atMs, 30);
    return arrivalVerdict({ ...healthy, pace: meter.pace, pauses: pauses.recent(atMs) })?.code;
  });
  return verdicts.filter((verdict, at) => at === 0 || verdict !== verdicts[at - 1]);
}

test.each([1_000, 1_500, 2_000])('%i ms of media at once is no trouble if it is in time, and too slow if not', (stepMs) => {
  expect(judgeSteps(stepMs, 1)).toEqual([undefined]);
  expect(judgeSteps(stepMs, 0.9)).toEqual([undefined, 'arrives-slowly']);
  expect(judgeSteps(stepMs, 0.7)).toEqual([undefined, 'arrives-slowly']);
});
