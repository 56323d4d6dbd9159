import { expect, test } from 'vitest';
import { healthy, now, oneClickRunning } from '../../../test/support/health-facts.ts';
import { ArrivalPauses } from './arrival-pauses.ts';
import { arrivalVerdict, frameRateVerdict, repeatedLossVerdict, slowerSourceVerdict } from './arrival-verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { MediaMeter } from './media-meter.ts';
import { PaceMeter } from './pace-meter.ts';

/** The verdicts on a minute of 30 frames a second that arrive in bursts of `stepMs` of media, at this multiple of real time. */
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

test('an encoder that lacks a frame in twenty is missing frames all the time, and none once it has recovered', () => {
  const meter = new MediaMeter();
  const told = new Map<number, string | undefined>();
  for (let frame = 0; frame <= 120 * 30; frame += 1) {
    const timeMs = Math.round((frame * 1000) / 30);
    const isLacking = timeMs < 90_000 && frame % 20 === 7;
    if (!isLacking) meter.add({ track: 'video', timeMs, sizeBytes: 1, keyframe: frame % 60 === 0, nominalFps: 30 }, timeMs);
    if (timeMs % 1_000 !== 0) continue;
    const meters = { measuredAt: now, ...meter.rates(timeMs), droppedFrames: meter.droppedFrames(30) };
    told.set(timeMs / 1000, frameRateVerdict({ ...healthy, meters, pace: meter.pace })?.code);
  }
  const between = (from: number, to: number) =>
    new Set([...told].filter(([at]) => at >= from && at < to).map(([, code]) => code));
  expect([...between(12, 90)]).toEqual(['frames-missing']);
  expect([...between(96, 120)]).toEqual([undefined]);
});

/** The times of the frames that are sent within this many seconds at a frame rate, in milliseconds. */
function framesAt(fps: number, seconds: number, isSent: (frame: number) => boolean = () => true): number[] {
  const frames = Array.from({ length: seconds * fps }, (_, frame) => frame).filter(isSent);
  return frames.map((frame) => Math.round((frame * 1000) / fps));
}

/** A number below 1 that seems random, the same each time. */
function hashed(frame: number): number {
  return Math.abs(Math.sin(frame * 12.9898) * 43_758.5453) % 1;
}

/** These frame times one after another, for this many seconds each. */
function inTurn(...parts: [number, number[]][]): number[] {
  let startMs = 0;
  return parts.flatMap(([seconds, times]) => {
    const moved = times.map((timeMs) => startMs + timeMs);
    startMs += seconds * 1_000;
    return moved;
  });
}

/** The verdict on an encoder that announces this rate, once it has sent these frames, and the share of dropped ones. */
function judgeFrames(times: readonly number[], nominalFps = 30, change: Partial<HealthFacts> = {}) {
  const meter = new MediaMeter();
  for (const timeMs of times) meter.add({ track: 'video', timeMs, sizeBytes: 1, keyframe: false, nominalFps }, timeMs);
  const endMs = times.at(-1) ?? 0;
  const isSlower = meter.rates(endMs) && meter.isSlower(nominalFps);
  const droppedFrames = meter.droppedFrames(nominalFps);
  const meters = { measuredAt: now, ...meter.rates(endMs), droppedFrames, ...(isSlower && { isSlower: true as const }) };
  const facts = { ...healthy, nominalFps, meters, pace: meter.pace, ...change };
  const verdict = frameRateVerdict(facts) ?? slowerSourceVerdict(facts);
  const told = verdict && `${verdict.severity}, ${verdict.fps.toFixed(1)}${verdict.isSlower ? ' from a slower source' : ''}`;
  return [told, droppedFrames?.ratio.toFixed(2)];
}

test.each<[string, number[], string | undefined, string | undefined]>([
  ['that is complete', framesAt(30, 60), undefined, '0.00'],
  ['of a phone in dim light', framesAt(15, 60), 'warn, 15.0 from a slower source', undefined],
  ['that is announced as for television elsewhere', framesAt(25, 60), 'warn, 25.0 from a slower source', undefined],
  ['of a screen where nothing moves', framesAt(5, 60), 'warn, 5.0 from a slower source', undefined],
  [
    'of a phone where the light has just gone',
    inTurn([40, framesAt(30, 40)], [10, framesAt(15, 10)]),
    'warn, 15.0 from a slower source',
    '0.00',
  ],
  ['of a phone that has light again', inTurn([20, framesAt(12, 20)], [20, framesAt(30, 20)]), undefined, '0.00'],
  [
    'of a screen where something moves now and then',
    inTurn(
      ...Array.from({ length: 30 }, (): [number, number[]] => [2, [...framesAt(30, 1), 1_000, 1_200, 1_400, 1_600, 1_800]]),
    ),
    'warn, 15.7 from a slower source',
    '0.00',
  ],
  [
    'of which every other one is dropped, which looks the same',
    framesAt(30, 60, (frame) => frame % 2 === 0),
    'warn, 15.0 from a slower source',
    undefined,
  ],
  ['of which one in three is dropped', framesAt(30, 60, (frame) => frame % 3 > 0), 'bad, 20.0', '0.33'],
  ['of which those up to each keyframe are dropped', framesAt(30, 60, (frame) => frame % 60 < 20), 'bad, 12.6', '0.67'],
  ['that stops for a second now and then', framesAt(30, 60, (frame) => frame % 120 < 90), 'bad, 23.9', '0.24'],
  ['of which half are dropped at random', framesAt(30, 60, (frame) => hashed(frame) < 0.5), 'bad, 14.6', '0.40'],
])('a video %s', (_what, times, told, dropped) => {
  expect(judgeFrames(times)).toEqual([told, dropped]);
});

/** The verdict at each second in which it changes, of an encoder that sends these frames of 30 a second. */
function changesOver(seconds: number, isSent: (frame: number) => boolean): [second: number, told: string | undefined][] {
  const meter = new MediaMeter();
  const changes: [number, string | undefined][] = [[0, undefined]];
  for (let frame = 0; frame <= seconds * 30; frame += 1) {
    const timeMs = Math.round((frame * 1000) / 30);
    if (isSent(frame)) meter.add({ track: 'video', timeMs, sizeBytes: 1, keyframe: false, nominalFps: 30 }, timeMs);
    if (frame % 30 > 0) continue;
    const meters = { measuredAt: now, ...meter.rates(timeMs), droppedFrames: meter.droppedFrames(30) };
    const facts = { ...healthy, meters, pace: meter.pace };
    const verdict = frameRateVerdict(facts) ?? repeatedLossVerdict(facts);
    const told = verdict && `${verdict.severity}${verdict.lostRatio === undefined ? '' : ' in the last minute'}`;
    if (told !== changes.at(-1)?.[1]) changes.push([frame / 30, told]);
  }
  return changes;
}

test('frames that keep getting lost count as missing until at most one loss is left in the last minute; a single loss does not', () => {
  const [secondLost, secondGap] = [1.5 * 30, 15 * 30];
  /** A second and a half of video is lost every 15 s from 15 s on, until this one. */
  const lostUntil = (second: number) => (frame: number) =>
    frame < secondGap || frame >= second * 30 || frame % secondGap >= secondLost;
  expect(changesOver(90, lostUntil(20))).toEqual([
    [0, undefined],
    [17, 'bad'],
    [20, undefined],
  ]);
  expect(changesOver(240, lostUntil(130))).toEqual([
    [0, undefined],
    [17, 'bad'],
    [20, undefined],
    [32, 'bad in the last minute'],
    // The losses of the last minute become fewer: first two are left, then one.
    [152, 'warn in the last minute'],
    [166, undefined],
  ]);
  // A third of a second every 20 s.
  expect(changesOver(120, (frame) => frame % 600 < 590).slice(-1)).toEqual([[40, 'warn in the last minute']]);
});

test('our own encoder never makes fewer frames on purpose', () => {
  expect(judgeFrames(framesAt(15, 60), 30, { oneClick: oneClickRunning })[0]).toBe('bad, 15.0');
});

test('times in whole milliseconds are not further apart at a high rate', () => {
  expect(judgeFrames(framesAt(120, 20), 120)).toEqual([undefined, '0.00']);
  expect(judgeFrames(framesAt(50, 20), 60)).toEqual(['warn, 50.0 from a slower source', undefined]);
});

test('once a twenty-fifth of the last minute is missing, frames are missing up to 97.5 % of the nominal rate', () => {
  const judge = (fps: number, ratio: number) =>
    frameRateVerdict({ ...healthy, meters: { measuredAt: now, fps, droppedFrames: { count: 72, ratio } } })?.severity;
  expect([judge(29.2, 0.04), judge(29.2, 0.039), judge(29.3, 0.04), judge(28.4, 0)]).toEqual([
    'warn',
    undefined,
    undefined,
    'warn',
  ]);
});

test('losses in media that arrives slowly are a warning, unless frames are missing too', () => {
  const droppedFrames = { count: 72, ratio: 0.04, isRepeated: true } as const;
  const judge = (fps: number) =>
    repeatedLossVerdict({ ...healthy, pace: 0.7, meters: { measuredAt: now, fps, droppedFrames } });
  expect(judge(21)).toEqual({
    code: 'frames-missing',
    severity: 'warn',
    fps: 21,
    nominalFps: 30,
    from: 'encoder',
    lostRatio: 0.04,
  });
  expect(judge(19)).toBeUndefined();
});

test('pauses are bad once viewers see ten seconds of them', () => {
  const judge = (seconds: number) => arrivalVerdict({ ...healthy, pauses: { count: 2, seconds } })?.severity;
  expect([judge(11.9), judge(12)]).toEqual(['warn', 'bad']);
});
