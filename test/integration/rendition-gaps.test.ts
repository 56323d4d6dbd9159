import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { Processors } from '../../src/service/transcode/processors.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { countDroppedFrames } from '../support/count-dropped-frames.ts';
import { findFfmpeg } from '../support/find-processes.ts';
import { startRenditionStand } from '../support/rendition-stand.ts';
import { soon } from '../support/soon.ts';
import { makeSource } from '../support/synthetic-source.ts';

/** 11 s at 25 fps with a keyframe every second. */
let source: FlvTag[];
beforeAll(async () => {
  // ffmpeg's audio ends a little before its video.
  source = (await makeSource({ seconds: 12 })).filter(({ timestampMs }) => timestampMs < 11_000);
});

type Stand = Awaited<ReturnType<typeof startRenditionStand>>;

async function start(options?: Parameters<typeof startRenditionStand>[0]): Promise<Stand> {
  const stand = await startRenditionStand(options);
  onTestFinished(() => stand[Symbol.asyncDispose]());
  return stand;
}

const between = (fromMs: number, toMs: number) =>
  source.filter(({ timestampMs }) => timestampMs >= fromMs && timestampMs < toMs);

/** Waits until both renditions have this segment complete. */
async function wholeUpTo(stand: Stand, msn: number) {
  await soon(() => expect([1, 2].map((index) => stand.store(index).segments.at(-1)?.msn)).toEqual([msn, msn]));
}

const numbers = ({ segments }: ReturnType<Stand['playlist']>) =>
  segments.map(({ msn, discontinuitySequence }) => ({ msn, discontinuitySequence }));
const gaps = ({ segments }: ReturnType<Stand['playlist']>) => segments.filter(({ gap }) => gap).map(({ msn }) => msn);

/** True of every rendition made from start to end: the source's numbers and durations. */
function expectLikeSource(stand: Stand) {
  const expected = stand.playlist(0);
  for (const index of [1, 2]) {
    const playlist = stand.playlist(index);
    expect(numbers(playlist)).toEqual(numbers(expected));
    for (const [at, { seconds }] of playlist.segments.entries()) {
      expect(Math.abs(seconds - (expected.segments[at]?.seconds ?? 0))).toBeLessThanOrEqual(0.04);
    }
  }
}

test('a replaced ffmpeg leaves a gap, but no discontinuity and no new init segment', async () => {
  const stand = await start();
  stand.push(between(0, 3_500));
  await wholeUpTo(stand, 2);
  signalProcess(await findFfmpeg(), 'SIGKILL');
  await soon(() => expect(stand.events.at(-1)?.code).toBe('crashed'));
  stand.push(between(3_500, 11_000));
  await stand.end();
  expectLikeSource(stand);
  for (const index of [1, 2]) {
    const playlist = stand.playlist(index);
    expect(gaps(playlist)).toEqual([3]);
    expect(playlist.segments.map(({ discontinuitySequence }) => discontinuitySequence)).toEqual(Array(11).fill(0));
    expect(new Set(playlist.segments.map(({ init }) => init)).size).toBe(1);
    expect(playlist.ended).toBe(true);
  }
  expect(stand.countSegments()).toBe(2 * 10);
});

test('media that ffmpeg did not accept in time becomes a gap wherever a frame is missing, and is not counted', async () => {
  const stand = await start({ bounds: { maxQueueBytes: 100_000 } });
  stand.push(between(0, 2_000));
  await wholeUpTo(stand, 0);
  const ffmpeg = await findFfmpeg();
  signalProcess(ffmpeg, 'SIGSTOP');
  stand.push(between(2_000, 7_500));
  signalProcess(ffmpeg, 'SIGCONT');
  await soon(() => expect(stand.ladder.queuedBytes).toBe(0));
  // In steps small enough for the rest of the queue.
  for (let fromMs = 7_500; fromMs < 11_000; fromMs += 500) {
    await soon(() => expect(stand.ladder.queuedBytes).toBe(0));
    stand.push(between(fromMs, fromMs + 500));
  }

  await stand.end();
  expect(countDroppedFrames(stand.events)).toBeGreaterThan(0);
  expect(new Set(stand.events.map(({ code }) => code))).toEqual(new Set(['started', 'overflow']));
  expectLikeSource(stand);
  const missed = gaps(stand.playlist(1));
  expect(missed.length).toBeGreaterThan(0);
  expect(missed.length).toBeLessThan(7);
  expect(gaps(stand.playlist(2))).toEqual(missed);
  expect(stand.countSegments()).toBe(2 * (11 - missed.length));
  // A segment has all its frames, or is a gap.
  for (const index of [1, 2]) {
    const frames = stand.store(index).segments.filter(({ gap }) => !gap);
    for (const { videoFrames } of frames) expect(videoFrames).toBe(25);
  }
});

test("a shed rendition continues with gaps at the source's numbers, and with media again when there is capacity", async () => {
  const load = { idleShare: 0 };
  const spent = { busyMs: 0, idleMs: 0 };
  const processors: Processors = { readCores: () => [{ ...spent }], readCpuSeconds: () => 1 };
  const stand = await start({ processors });
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      stand.clock.nowMs += 1_000;
      spent.busyMs += 1_000 * (1 - load.idleShare);
      spent.idleMs += 1_000 * load.idleShare;
      stand.set.tick();
    }
  };
  stand.push(between(0, 2_500));
  await wholeUpTo(stand, 1);
  const ffmpeg = await findFfmpeg();
  signalProcess(ffmpeg, 'SIGSTOP');
  for (let second = 0; second < 10; second += 1) {
    stand.push(between(2_500 + second * 250, 2_750 + second * 250));
    pass(1);
  }
  expect(stand.events.at(-1)).toMatchObject({ code: 'shed', names: ['90p'] });
  // Its viewers wait neither for the hanging ffmpeg nor for the next keyframe.
  const left = stand.playlist(1);
  expect(stand.store(1).offered).toBe(false);
  expect({ ended: left.ended, hint: left.hint }).toEqual({ ended: false, hint: undefined });
  expect(numbers(left)).toEqual(numbers(stand.playlist(0)));
  expect(gaps(left)).toEqual([2, 3]);
  expect(left.open.map(({ gap }) => gap)).toEqual(stand.playlist(0).open.map(() => true));

  signalProcess(ffmpeg, 'SIGCONT');
  stand.push(between(5_000, 7_000));
  await soon(() => expect(stand.store(2).segments.at(-1)?.msn).toBe(5));
  pass(600);
  expect(stand.events.filter(({ code }) => code === 'returned')).toEqual([]);
  load.idleShare = 1;
  pass(10);
  expect(stand.events.at(-1)).toEqual({ code: 'returned', severity: 'good', names: ['90p'] });
  stand.push(between(7_000, 11_000));
  await stand.end();
  expect(numbers(stand.playlist(1))).toEqual(numbers(stand.playlist(0)));
  expect(gaps(stand.playlist(1))).toEqual([2, 3, 4, 5, 6]);
  expect(numbers(stand.playlist(2))).toEqual(numbers(stand.playlist(0)));
  expect(gaps(stand.playlist(2))).toEqual([]);
  expect(stand.countSegments()).toBe(11 + 6);
});
