import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { constants, cpus, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PlacedUnit, trackOf } from '../../src/service/media/media-unit.ts';
import { ownProcessors, type Processors } from '../../src/service/transcode/processors.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { countDroppedFrames } from '../support/count-dropped-frames.ts';
import { findFfmpeg } from '../support/find-processes.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { announceHighEfficiency } from '../support/high-efficiency.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { soon } from '../support/soon.ts';
import {
  lastShownMs,
  makeTwelveSeconds,
  outAt,
  pushBetween,
  type SupervisedLadder,
  startSupervised,
} from '../support/supervised-ladder.ts';
import { keyframeTimes, shownFrames, soundFrames } from '../support/transcode-stand.ts';

let source: PlacedUnit[];
beforeAll(async () => {
  source = await makeTwelveSeconds();
});

/** The configuration records of a track, in hex. */
function recordsOf(units: readonly PlacedUnit[] | undefined, track: 'video' | 'audio'): string[] {
  return (units ?? []).flatMap((unit) =>
    unit.type === 'config' && unit.config.track === track ? [unit.config.record.toString('hex')] : [],
  );
}

test('a crashed ffmpeg is replaced at the next keyframe, with the same parameters and timeline', async () => {
  const stand = await startSupervised();
  pushBetween(stand, source, 0, 1_500);
  await outAt(stand, 1_480);
  signalProcess(await findFfmpeg(), 'SIGKILL');
  await soon(() => expect(stand.events.at(-1)?.code).toBe('crashed'));
  pushBetween(stand, source, 1_500, 4_000);
  await stand.ladder.drain();
  expect(stand.events.map(({ code, severity }) => ({ code, severity }))).toEqual([
    { code: 'started', severity: 'good' },
    { code: 'crashed', severity: 'warn' },
    { code: 'started', severity: 'good' },
  ]);
  expect(stand.events[1]).toMatchObject({ failure: { code: 'killed', signal: 'SIGKILL' }, restart: {} });
  for (const rendition of stand.renditions) {
    expect(keyframeTimes(rendition)).toEqual([0, 1_000, 2_000, 3_000]);
    const missing = shownFrames(source).filter(({ shownMs }) => shownMs >= 1_500 && shownMs < 2_000).length;
    expect(shownFrames(rendition)).toHaveLength(100 - missing);
    // The gap has no audio either.
    const soundTimes = soundFrames(rendition).map((sound) => Number.parseInt(sound, 10));
    expect(soundTimes.filter((timeMs) => timeMs > 1_500 && timeMs < 1_950)).toEqual([]);
    expect(new Set(recordsOf(rendition, 'video')).size).toBe(1);
  }
  // The break is reported between the last unit before the gap and the first after it.
  expect(stand.breaks).toEqual(stand.renditions.map((units) => [units.findIndex(({ dts }) => dts >= 1_900)]));
});

test('five crashes within a minute let the renditions rest, fewer do not, and after it they are made again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-rest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ffmpegPath = join(folder, 'ffmpeg');
  const stand = await startSupervised({ ffmpegPath });
  const crashAt = async (second: number, clockMs: number) => {
    stand.clock.nowMs = clockMs;
    const count = stand.events.filter(({ code }) => code !== 'started').length;
    pushBetween(stand, source, second * 1_000, second * 1_000 + 500);
    await soon(() => expect(stand.events.filter(({ code }) => code !== 'started')).toHaveLength(count + 1));
  };
  for (const [second, clockMs] of [0, 20_000, 40_000, 50_000, 60_000, 80_000].entries()) await crashAt(second, clockMs);
  expect(stand.states()).toEqual(['waiting', 'waiting']);
  await crashAt(6, 81_000);
  expect(stand.states()).toEqual(['resting', 'resting']);
  const names = ['90p', '72p'];
  const rested = { code: 'rested', severity: 'bad', names, last: { code: 'not-started' }, count: 5, waitMs: 60_000 };
  expect(stand.events.at(-1)).toEqual(rested);
  expect(stand.lastWords.at(-1)).toEqual([`spawn ${ffmpegPath} ENOENT`]);
  expect(stand.leaves.map(({ length }) => length)).toEqual([1, 1]);
  await symlink((await getFfmpeg()).path, ffmpegPath);
  stand.clock.nowMs = 140_999;
  stand.ladder.tick();
  pushBetween(stand, source, 7_000, 9_000);
  expect(stand.events.at(-1)).toEqual(rested);
  stand.clock.nowMs = 141_000;
  stand.ladder.tick();
  expect(stand.states()).toEqual(['waiting', 'waiting']);
  pushBetween(stand, source, 9_000, 11_000);
  await stand.ladder.drain();
  expect(stand.events.at(-1)).toEqual({ code: 'started', severity: 'good', names });
  expect(stand.renditions.map((units) => [shownFrames(units).length, ...keyframeTimes(units)])).toEqual(
    names.map(() => [50, 9_000, 10_000]),
  );
});

/** Pauses its ffmpeg (`SIGSTOP`) until it has lagged for 5 s, at 4.85 s of media. */
async function lagUntilShed(stand: SupervisedLadder) {
  pushBetween(stand, source, 0, 1_000);
  await outAt(stand, 960);
  const ffmpeg = await findFfmpeg();
  signalProcess(ffmpeg, 'SIGSTOP');
  for (let second = 1; second <= 7; second += 1) {
    stand.clock.nowMs += 1_000;
    pushBetween(stand, source, 1_000 + (second - 1) * 550, 1_000 + second * 550);
    stand.ladder.tick();
    expect(stand.events.filter(({ code }) => code === 'shed')).toHaveLength(second < 7 ? 0 : 1);
  }
  signalProcess(ffmpeg, 'SIGCONT');
}

test('an encode that lags for 5 s drops its costliest rendition at once, and restores it after a fixed time if CPU use is unknown', async () => {
  const stand = await startSupervised({ processors: { readCores: () => [], readCpuSeconds: () => undefined } });
  await lagUntilShed(stand);
  expect(stand.events.at(-1)).toEqual({ code: 'shed', severity: 'warn', names: ['90p'] });
  expect(stand.states()).toEqual(['shed', 'running']);
  pushBetween(stand, source, 4_850, 7_000);
  await soon(() => expect(lastShownMs(stand.renditions[1])).toBe(6_960));
  stand.ladder.tick();
  // Media that ffmpeg had not output when the rendition was dropped is not waited for.
  expect(keyframeTimes(stand.renditions[0]!)).toEqual([0]);
  expect(lastShownMs(stand.renditions[0])).toBe(960);
  stand.clock.nowMs += 14_999;
  stand.ladder.tick();
  expect(stand.states()).toEqual(['shed', 'running']);
  stand.clock.nowMs += 1;
  stand.ladder.tick();
  expect(stand.events.at(-1)).toMatchObject({ code: 'returned', names: ['90p'] });
  pushBetween(stand, source, 7_000, 9_000);
  await stand.ladder.drain();
  expect(keyframeTimes(stand.renditions[0]!)).toEqual([0, 7_000, 8_000]);
  expect(keyframeTimes(stand.renditions[1]!)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000]);
  expect(shownFrames(stand.renditions[1]!)).toHaveLength(225);
  // The leave is reported before the first unit after the return.
  const returnedAt = stand.renditions[0]!.findIndex(({ dts }) => dts >= 7_000);
  expect(stand.leaves).toEqual([[returnedAt], []]);
});

test('a rendition does not return while other work keeps the computer busy', async () => {
  // Reports that the ladder uses half the computer; idle time is measured.
  const processors: Processors = { ...ownProcessors, readCpuSeconds: () => cpus().length / 2 };
  const stand = await startSupervised({ bounds: { roomMs: 200, returnAfterMs: 0 }, processors });
  await lagUntilShed(stand);
  await using work = startBusyProcesses();
  await work.started;
  pushBetween(stand, source, 4_850, 7_000);
  await soon(() => expect(lastShownMs(stand.renditions[1])).toBe(6_960), 60_000);
  const beganAt = performance.now();
  const clockBeganMs = stand.clock.nowMs;
  while (performance.now() - beganAt < 2_000) {
    stand.clock.nowMs = clockBeganMs + performance.now() - beganAt;
    stand.ladder.tick();
    await sleep(50);
  }
  expect(stand.events.filter(({ code }) => code === 'returned')).toEqual([]);
});

/** Busy processes that only compute, one per core and one more, and give way to everything else on this computer. */
function startBusyProcesses() {
  const script = "process.stdout.write('.'); for (;;);";
  const children = Array.from({ length: cpus().length + 1 }, () =>
    spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const start = async (child: (typeof children)[number]) => {
    await once(child.stdout, 'data');
    setPriority(child.pid as number, constants.priority.PRIORITY_LOW);
  };
  return {
    started: Promise.all(children.map(start)),
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children.map((child) => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          return ended;
        }),
      );
    },
  };
}

test('an ffmpeg that accepts pictures but outputs nothing for 10 s is replaced', async () => {
  const stand = await startSupervised();
  pushBetween(stand, source, 0, 1_000);
  await outAt(stand, 960);
  stand.ladder.tick();
  signalProcess(await findFfmpeg(), 'SIGSTOP');
  pushBetween(stand, source, 1_000, 2_500);
  stand.clock.nowMs = 9_999;
  stand.ladder.tick();
  expect(stand.events).toHaveLength(1);
  stand.clock.nowMs = 10_000;
  stand.ladder.tick();
  expect(stand.events.at(-1)).toMatchObject({
    code: 'crashed',
    failure: { code: 'stuck' },
    restart: {},
  });
  pushBetween(stand, source, 2_500, 4_000);
  await stand.ladder.drain();
  for (const rendition of stand.renditions) expect(keyframeTimes(rendition)).toEqual([0, 3_000]);
  expect(stand.breaks.map(({ length }) => length)).toEqual([1, 1]);
});

test('hardware that accepts pictures but never outputs one is replaced by x264 before its renditions are shed', async () => {
  const ffmpegPath = await makeOddFfmpeg('case "$*" in *h264_nvenc*) exec sleep 60;; esac');
  const stand = await startSupervised({ encoder: 'h264_nvenc', ffmpegPath });
  for (let second = 0; second < 8; second += 1) {
    stand.clock.nowMs += 1_000;
    pushBetween(stand, source, second * 1_000, (second + 1) * 1_000);
    stand.ladder.tick();
  }
  expect(stand.events.map(({ code }) => code)).toEqual(['started', 'crashed', 'started']);
  expect(stand.events[1]).toMatchObject({ failure: { code: 'stuck' }, restart: { encoder: 'libx264' } });
  pushBetween(stand, source, 8_000, 10_000);
  await stand.ladder.drain();
  for (const rendition of stand.renditions) expect(keyframeTimes(rendition).slice(-2)).toEqual([8_000, 9_000]);
});

test('a longer and longer freeze does not count as a slow encoder, which holds each picture until the next arrives', async () => {
  const stand = await startSupervised({ sourceFps: () => undefined });
  const pictures = source.filter((unit) => trackOf(unit) === 'video');
  const shownAt = [0, 1_000, 3_000, 6_000, 10_000];
  for (const [index, timeMs] of shownAt.entries()) {
    pushBetween(stand, pictures, timeMs, timeMs + 1);
    if (index > 0) await outAt(stand, shownAt[index - 1]!);
    const next = shownAt[index + 1] ?? 25_000;
    for (; stand.clock.nowMs < next; stand.clock.nowMs += 1_000) stand.ladder.tick();
  }
  await stand.ladder.drain();
  expect(stand.events.map(({ code }) => code)).toEqual(['started']);
  for (const rendition of stand.renditions) expect(keyframeTimes(rendition)).toEqual(shownAt);
});

test('media that ffmpeg does not accept in time is dropped up to a keyframe, and counted', async () => {
  const stand = await startSupervised({ bounds: { maxQueueBytes: 100_000 } });
  pushBetween(stand, source, 0, 1_000);
  await outAt(stand, 960);
  const ffmpeg = await findFfmpeg();
  signalProcess(ffmpeg, 'SIGSTOP');
  pushBetween(stand, source, 1_000, 10_000);
  signalProcess(ffmpeg, 'SIGCONT');
  await soon(() => expect(lastShownMs(stand.renditions[0])).toBeGreaterThan(1_000));
  await soon(() => expect(stand.ladder.queuedBytes).toBe(0));
  pushBetween(stand, source, 10_000, 12_000);
  await stand.ladder.drain();
  const [started, ...overflows] = stand.events;
  expect(started?.code).toBe('started');
  expect(new Set(overflows.map(({ code }) => code))).toEqual(new Set(['overflow']));
  const droppedFrames = countDroppedFrames(overflows);
  expect(droppedFrames).toBeGreaterThan(0);
  for (const rendition of stand.renditions) {
    expect(shownFrames(rendition)).toHaveLength(300 - droppedFrames);
    expect(keyframeTimes(rendition).slice(-2)).toEqual([10_000, 11_000]);
  }
});

test('audio that is not AAC-LC is encoded once for all renditions', async () => {
  const highEfficiency = announceHighEfficiency(source.filter(({ dts }) => dts < 4_000));
  const { ladder, renditions, events } = await startSupervised();
  const lastSoundMs = (units: readonly PlacedUnit[]) => units.findLast((unit) => trackOf(unit) === 'audio')?.dts ?? 0;
  // A little at a time, since audio and video come out on separate pipes.
  for (let fromMs = 0; fromMs < 4_000; fromMs += 250) {
    for (const unit of highEfficiency) if (unit.dts >= fromMs && unit.dts < fromMs + 250) ladder.push(unit);
    await soon(() => expect(Math.min(...renditions.map(lastShownMs))).toBeGreaterThanOrEqual(fromMs + 200));
    await soon(() => expect(Math.min(...renditions.map(lastSoundMs))).toBeGreaterThanOrEqual(fromMs + 100));
  }
  await ladder.drain();
  expect(events.map(({ code }) => code)).toEqual(['started']);
  const [first, second] = renditions.map((rendition) => soundFrames(rendition));
  expect(first).toEqual(second);
  // Each frame is at its own time from the first one on.
  const fedFromMs = highEfficiency.find(({ type }) => type === 'audio')!.dts;
  const times = first!.map((sound) => Number.parseInt(sound, 10));
  expect(times.map((timeMs, index) => Math.round((timeMs - fedFromMs) / (1_024 / 48)) - index)).toEqual(times.map(() => 0));
  expect(Math.abs(first!.length - (4_000 * 48) / 1024)).toBeLessThanOrEqual(4);
  expect(recordsOf(renditions[0], 'audio')[0]?.slice(0, 2)).toBe('11');
  for (const rendition of renditions) {
    expect(keyframeTimes(rendition)).toEqual([0, 1_000, 2_000, 3_000]);
    const times = rendition.map(({ dts }) => dts);
    // At most as far apart as they were fed, plus the delay of the audio encoder.
    expect(Math.max(...times.slice(1).map((timeMs, index) => times[index]! - timeMs))).toBeLessThan(250 + 100);
  }
});
