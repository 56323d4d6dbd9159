import { expect, onTestFinished, test, vi } from 'vitest';
import type { SoundFrame } from '../health/sound-frame.ts';
import { createEventSource } from '../lib/event-source.ts';
import { aacFormat } from '../media/aac-format.ts';
import type { AudioUnit } from '../media/media-unit.ts';
import { opusFormat } from '../media/opus-format.ts';
import type { AudioConfig } from '../media/track-config.ts';
import type { FfmpegEnd } from '../media-tools/ffmpeg-process.ts';
import type { MeterRunOptions } from './meter-run.ts';
import { type MeterTools, PublisherMeter } from './publisher-meter.ts';

const makeUnit = (config: AudioConfig): AudioUnit => ({
  type: 'audio',
  timescale: 1000,
  dts: 0,
  config,
  data: config.format.makeSilence(config) ?? Buffer.alloc(0),
});
const parseAac = (record: string) => makeUnit(aacFormat.parseRecord(Buffer.from(record, 'hex')));
const stereo = parseAac('1190');
const mono = parseAac('1188');
const opus = makeUnit(opusFormat.parseRecord(Buffer.from('4f707573486561640101380180bb0000000000', 'hex')));

const found: MeterTools['ffmpeg'] = { kind: 'found', path: 'ffmpeg', version: '7', from: 'PATH' };
const frame = (rest: Partial<SoundFrame> = {}): SoundFrame => ({
  momentaryLufs: -16.2,
  shortTermLufs: -16.4,
  truePeaksDbtp: [-6, -7],
  phase: 1,
  ...rest,
});

/** A meter whose ffmpegs and clock are the test's. */
async function openMeter(tools: Partial<MeterTools> = {}) {
  const clock = { ms: 0 };
  const runs: { options: MeterRunOptions; pushed: AudioUnit[]; pieceMs?: number; kills: number; end: () => void }[] = [];
  let measured = 0;
  const newTools = createEventSource<MeterTools>();
  const meter = new PublisherMeter({
    tools: Promise.resolve({ ffmpeg: found, canDecode: ({ fourCc }) => fourCc !== 'Opus', ...tools }),
    onTools: newTools.on,
    clock: { monotonicMs: () => clock.ms },
    loudnessTargetLufs: () => -16,
    onMeasured: () => {
      measured += 1;
    },
    startRun(options) {
      const { promise: ended, resolve } = Promise.withResolvers<FfmpegEnd>();
      const end = () => resolve({ exitCode: null, killedBy: 'SIGKILL', stderr: [] });
      const run: (typeof runs)[number] = { options, pushed: [], kills: 0, end };
      runs.push(run);
      return {
        ended,
        push: (unit, pieceMs) => {
          run.pushed.push(unit);
          run.pieceMs = pieceMs;
        },
        kill: () => {
          run.kills += 1;
          end();
        },
      };
    },
  });
  // An ffmpeg that ended would be started again after the test.
  onTestFinished(() => meter.close());
  await Promise.resolve();
  /** Audio in real time for this long. */
  const play = (ms: number, unit = stereo) => {
    for (const endMs = clock.ms + ms; clock.ms < endMs; clock.ms += 20) meter.push(unit);
  };
  return { meter, clock, runs, play, find: newTools.emit, measuredCount: () => measured };
}

test('ffmpeg starts after a second of audio, and what it measures is read with the peaks of 0.3 s', async () => {
  const { meter, runs, play, measuredCount } = await openMeter();
  play(1_000);
  expect(runs).toHaveLength(0);
  play(20);
  expect(runs).toHaveLength(1);
  expect(runs[0]?.pushed).toHaveLength(1);
  expect(meter.read()).toBeUndefined();
  const [run] = runs;
  run?.options.onFrame(frame({ momentaryLufs: undefined, shortTermLufs: undefined, truePeaksDbtp: [-1, -1] }));
  expect(meter.read()).toBeUndefined();
  run?.options.onFrame(frame({ shortTermLufs: undefined, truePeaksDbtp: [-2, -9] }));
  expect(meter.read()).toEqual({ kind: 'measured', momentaryLufs: -16.2, truePeaksDbtp: [-1, -1] });
  run?.options.onFrame(frame());
  run?.options.onFrame(frame({ momentaryLufs: -15 }));
  expect(meter.read()).toEqual({ kind: 'measured', momentaryLufs: -15, shortTermLufs: -16.4, truePeaksDbtp: [-2, -7] });
  expect(measuredCount()).toBe(4);
});

test('it measures more often while a page reads it', async () => {
  const { meter, runs, play } = await openMeter();
  const pieces: (number | undefined)[] = [];
  const playAndNote = (ms: number) => {
    play(ms);
    pieces.push(runs[0]?.pieceMs);
  };
  playAndNote(1_040);
  meter.read();
  playAndNote(20);
  playAndNote(2_400);
  playAndNote(100);
  expect(pieces).toEqual([1_000, 200, 200, 1_000]);
});

test('a measurement that is old is none, and neither is its trouble', async () => {
  const { meter, runs, play, clock } = await openMeter();
  play(1_020);
  for (let index = 0; index < 120; index += 1) {
    clock.ms += 100;
    runs[0]?.options.onFrame(frame({ momentaryLufs: -120 }));
  }
  expect(meter.judge()).toEqual([{ code: 'silent', severity: 'warn' }]);
  clock.ms += 2_000;
  expect(meter.read()).toBeUndefined();
  expect(meter.judge()).toEqual([]);
});

test.each([
  ['no-ffmpeg', { ffmpeg: { kind: 'missing', reason: { code: 'not-found' } } }, stereo],
  ['undecodable', {}, opus],
] as const)('without what it needs, it measures nothing and says why: %s', async (why, tools, unit) => {
  const { meter, runs, play } = await openMeter(tools);
  play(1_020, unit);
  expect(meter.read()).toEqual({ kind: 'unmeasured', why });
  expect(runs).toEqual([]);
});

test.each([
  ['ffmpeg is found', { ffmpeg: { kind: 'missing', reason: { code: 'not-found' } } }, stereo],
  ['ffmpeg decodes its audio', {}, opus],
] as const)('once %s, it measures the rest of the broadcast', async (_, tools, unit) => {
  const { meter, runs, play, find } = await openMeter(tools);
  play(2_000, unit);
  find({ ffmpeg: found, canDecode: () => true });
  play(40, unit);
  find({ ffmpeg: found, canDecode: () => true });
  play(40, unit);
  expect(runs.map(({ pushed }) => pushed.length)).toEqual([4]);
  runs[0]?.options.onFrame(frame());
  expect(meter.read()).toMatchObject({ kind: 'measured' });
});

test('audio with other parameters gets another ffmpeg at once', async () => {
  const { meter, runs, play } = await openMeter();
  play(1_020, opus);
  expect(meter.read()).toEqual({ kind: 'unmeasured', why: 'undecodable' });
  play(40);
  play(40, mono);
  play(40, mono);
  expect(runs.map(({ kills, pushed }) => [kills, pushed.length])).toEqual([
    [1, 2],
    [0, 4],
  ]);
  runs[0]?.options.onFrame(frame());
  expect(meter.read()).toBeUndefined();
});

test('an ffmpeg that takes 10 s of audio and measures nothing is killed; a pause of the publisher is not its fault', async () => {
  const { runs, play, clock } = await openMeter();
  play(2_000);
  clock.ms += 60_000;
  play(8_000);
  expect(runs[0]?.kills).toBe(0);
  play(3_000);
  expect(runs[0]?.kills).toBe(1);
  // Audio that comes before it has ended is neither fed to it nor a reason to kill it again.
  expect(runs[0]?.pushed.length).toBeLessThan(490);
});

test('an ffmpeg that measures, but falls 10 s behind, is ended for the next one to join the present', async () => {
  const { runs, play } = await openMeter();
  play(1_020);
  for (let second = 0; second < 12; second += 1) {
    play(1_000);
    for (let index = 0; index < 3; index += 1) runs[0]?.options.onFrame(frame());
  }
  expect(runs[0]?.kills).toBe(0);
  play(2_000);
  expect(runs[0]?.kills).toBe(1);
});

test('metering has failed only after three runs in a row that measured nothing, whatever short runs came before', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { meter, runs, play } = await openMeter();
  play(1_020);
  for (const frames of [5, 5, 0, 0, 5, 0, 0]) {
    for (let index = 0; index < frames; index += 1) runs.at(-1)?.options.onFrame(frame());
    runs.at(-1)?.end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(meter.read()?.kind).not.toBe('unmeasured');
  }
  runs.at(-1)?.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(meter.read()).toEqual({ kind: 'unmeasured', why: 'failed' });
});

test('audio between two ffmpegs, which none measured, does not count as silence', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { meter, runs, play, clock } = await openMeter();
  play(1_020);
  const silence = () => {
    clock.ms += 100;
    runs.at(-1)?.options.onFrame(frame({ momentaryLufs: -120 }));
  };
  silence();
  runs[0]?.end();
  clock.ms += 60_000;
  await vi.advanceTimersByTimeAsync(60_000);
  silence();
  expect(meter.judge()).toEqual([]);
  for (let index = 0; index < 100; index += 1) silence();
  expect(meter.judge()).toEqual([{ code: 'silent', severity: 'warn' }]);
});

test('the time in which no audio came does not count as silence', async () => {
  const { meter, runs, play, clock } = await openMeter();
  const beSilent = (seconds: number) => {
    for (let index = 0; index < seconds * 10; index += 1) {
      play(100);
      runs.at(-1)?.options.onFrame(frame({ momentaryLufs: -120 }));
    }
  };
  play(1_020);
  beSilent(6);
  clock.ms += 8_000;
  beSilent(9.9);
  expect(meter.judge()).toEqual([]);
  beSilent(0.4);
  expect(meter.judge()).toEqual([{ code: 'silent', severity: 'warn' }]);
});

test.each([
  { standsIn: true, heardMs: 3_000, troubles: [] },
  { standsIn: true, heardMs: 0, troubles: [] },
  { standsIn: false, heardMs: 3_000, troubles: [{ code: 'silent', severity: 'warn' }] },
])('after $heardMs ms of sound and 12 s of silence, which stands in: $standsIn, $troubles', async (sound) => {
  const { standsIn, heardMs, troubles } = sound;
  const { meter, runs, play } = await openMeter();
  const send = (ms: number, unit: AudioUnit, momentaryLufs: number) => {
    for (let sentMs = 0; sentMs < ms; sentMs += 100) {
      play(100, unit);
      runs.at(-1)?.options.onFrame(frame({ momentaryLufs }));
    }
  };
  send(heardMs, stereo, -16);
  send(13_500, standsIn ? { ...stereo, standsIn: true } : stereo, -120);
  play(20);
  expect(meter.judge()).toEqual(troubles);
});

test('a frame that silence stands in for does not end the silence around it', async () => {
  const { meter, runs, play } = await openMeter();
  for (let index = 0; index < 130; index += 1) {
    play(80);
    play(20, index % 20 === 0 ? { ...stereo, standsIn: true } : stereo);
    runs.at(-1)?.options.onFrame(frame({ momentaryLufs: -120 }));
  }
  expect(meter.judge()).toEqual([{ code: 'silent', severity: 'warn' }]);
});

test('an ffmpeg that ends is started again after growing pauses, and given up for now after three that measured nothing', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { meter, runs, play } = await openMeter();
  play(1_020);
  for (const pauseMs of [1_000, 1_500, 2_250]) {
    const started = runs.length;
    runs.at(-1)?.end();
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(runs).toHaveLength(started);
    expect(meter.read()).toEqual(started < 3 ? undefined : { kind: 'unmeasured', why: 'failed' });
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(started + 1);
  }
  runs[3]?.options.onFrame(frame());
  expect(meter.read()).toMatchObject({ kind: 'measured' });
});

test('an ffmpeg that ends is started again from where ffmpeg is by then', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { runs, play, find } = await openMeter();
  play(1_020);
  for (const ffmpeg of [
    { ...found, path: 'newer' },
    { kind: 'missing', reason: { code: 'not-found' } },
  ] as const) {
    find({ ffmpeg, canDecode: () => true });
    runs.at(-1)?.end();
    await vi.advanceTimersByTimeAsync(60_000);
  }
  // Without another ffmpeg it keeps trying the same path, which may work again.
  expect(runs.map(({ options }) => options.ffmpegPath)).toEqual(['ffmpeg', 'newer', 'newer']);
});

test('closing it ends its ffmpeg, and what comes later starts none', async () => {
  const { meter, runs, play } = await openMeter();
  play(1_020);
  await Promise.all([meter.close(), meter.close()]);
  play(2_000);
  expect(runs.map(({ kills }) => kills)).toEqual([1]);
});
