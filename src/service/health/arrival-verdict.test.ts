import { expect, test } from 'vitest';
import { healthy, now } from '../../../test/support/health-facts.ts';
import { ArrivalPauses } from './arrival-pauses.ts';
import { arrivalVerdict, frameRateVerdict } from './arrival-verdict.ts';
import { MediaMeter } from './media-meter.ts';
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

test('of an encoder that lacks a frame in twenty, frames are missing all the time, and none once it has recovered', () => {
  const meter = new MediaMeter();
  const told = new Map<number, string | undefined>();
  for (let frame = 0; frame <= 120 * 30; frame += 1) {
    const timeMs = Math.round((frame * 1000) / 30);
    const isLacking = timeMs < 90_000 && frame % 20 === 7;
    if (!isLacking) meter.add({ track: 'video', timeMs, sizeBytes: 1, keyframe: frame % 60 === 0 }, timeMs);
    if (timeMs % 1_000 !== 0) continue;
    const meters = { measuredAt: now, ...meter.rates(timeMs), droppedFrames: meter.droppedFrames(30) };
    told.set(timeMs / 1000, frameRateVerdict({ ...healthy, meters, pace: meter.pace })?.code);
  }
  const between = (from: number, to: number) =>
    new Set([...told].filter(([at]) => at >= from && at < to).map(([, code]) => code));
  expect([...between(12, 90)]).toEqual(['frames-missing']);
  expect([...between(96, 120)]).toEqual([undefined]);
});
