import fc from 'fast-check';
import { expect, test } from 'vitest';
import { videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { ConfigUnit, MediaUnit, VideoUnit } from '../media/media-unit.ts';
import { Handover } from './handover.ts';

const fps = 10;
const gopFrames = 10;

/** The same track with other parameters. */
const change = (unit: ConfigUnit) =>
  ({ ...unit, config: { ...unit.config, record: Buffer.from([...unit.config.record, 0]) } }) as ConfigUnit;

/** The units of an encoder that begins with a frame: the configuration, then frames with a keyframe each second. */
function encode(firstFrame: number, frames: number, { keyframeAt = (frame: number) => frame % gopFrames === 0 } = {}) {
  const reader = new UnitReader();
  const config = reader.readUnit(videoHeader()) as ConfigUnit;
  const units = Array.from({ length: frames }, (_, index) => {
    const frame = firstFrame + index;
    return reader.readUnit(videoFrame(1_000 + frame * 100, { keyframe: index === 0 || keyframeAt(frame) })) as VideoUnit;
  });
  return { config, units };
}

function setUp() {
  const sent: MediaUnit[] = [];
  let isDone = false;
  const running = encode(0, 100);
  const handover = new Handover(
    {
      fps,
      originMs: 1_000,
      onUnit: (unit) => sent.push(unit),
      onDone: () => {
        isDone = true;
      },
    },
    running.config,
  );
  /** The frames that went out, each with its encoder: `0r`, `1r`, … `20n`. */
  const told = (next: readonly VideoUnit[]) =>
    sent.map((unit) => (unit.type === 'video' ? `${(unit.dts - 1_000) / 100}${next.includes(unit) ? 'n' : 'r'}` : unit.type));
  return { handover, running: running.units, sent, told, isDone: () => isDone };
}

const numbers = (from: number, to: number, of: string) =>
  Array.from({ length: to - from }, (_, index) => `${from + index}${of}`);

test('the next encoder takes over at a keyframe once it keeps up, and each frame goes out once', () => {
  const { handover, running, told, isDone } = setUp();
  const next = encode(10, 60);
  // It starts slowly, then it is one frame behind.
  for (let frame = 0; frame < 40; frame += 1) {
    handover.takeRunning(running[frame] as MediaUnit);
    if (frame === 15) handover.takeNext(next.config);
    const ready = frame < 15 ? [] : frame === 15 ? next.units.slice(0, 5) : next.units.slice(frame - 11, frame - 10);
    for (const unit of ready) handover.takeNext(unit);
  }
  expect(told(next.units)).toEqual([...numbers(0, 20, 'r'), ...numbers(20, 39, 'n')]);
  expect(isDone()).toBe(true);
});

test('an encoder that is ahead takes over at once, and other parameters go out before its first frame', () => {
  const { handover, running, told, sent } = setUp();
  const { units, config } = encode(0, 40);
  const changed = change(config);
  handover.takeNext(changed);
  for (const unit of units.slice(0, 12)) handover.takeNext(unit);
  for (const unit of running.slice(0, 11)) handover.takeRunning(unit);
  expect(told(units)).toEqual([...numbers(0, 10, 'r'), 'config', '10n', '11n']);
  expect(sent[10]).toBe(changed);
});

test('parameters that the running encoder changes meanwhile go out, and those of the next one before its first frame', () => {
  const { handover, running, told, sent } = setUp();
  const { units, config } = encode(0, 40);
  const changed = change(config);
  handover.takeNext(config);
  for (const unit of units.slice(0, 12)) handover.takeNext(unit);
  for (const unit of [changed, ...running.slice(0, 11)]) handover.takeRunning(unit);
  expect(told(units)).toEqual(['config', ...numbers(0, 10, 'r'), 'config', '10n', '11n']);
  expect([sent[0], sent[11]]).toEqual([changed, config]);
});

test('an encoder that hangs as it is about to take over holds viewers up for a second and a half at most', () => {
  const { handover, running, told, isDone } = setUp();
  const next = encode(0, 10);
  for (const unit of running.slice(1, 10)) handover.takeRunning(unit);
  for (const unit of next.units) handover.takeNext(unit);
  const sentBy = running.slice(10, 40).map((unit) => {
    handover.takeRunning(unit);
    return told(next.units).length;
  });
  expect(sentBy).toEqual([...Array(15).fill(9), ...Array.from({ length: 15 }, (_, index) => 25 + index)]);
  expect([told(next.units), isDone()]).toEqual([numbers(1, 40, 'r'), false]);
});

test('an encoder that is far behind waits for a later keyframe', () => {
  const { handover, running, told, isDone } = setUp();
  const next = encode(0, 60);
  for (let frame = 0; frame < 35; frame += 1) {
    handover.takeRunning(running[frame] as MediaUnit);
    if (frame >= 8) handover.takeNext(next.units[frame - 8] as MediaUnit);
  }
  expect([told(next.units), isDone()]).toEqual([numbers(0, 35, 'r'), false]);
});

test('an encoder that has no keyframe where it is needed takes over where it has one, and nothing is lost', () => {
  const { handover, running, told, isDone } = setUp();
  const next = encode(1, 60, { keyframeAt: (frame) => frame === 31 });
  for (let frame = 1; frame < 40; frame += 1) {
    handover.takeRunning(running[frame] as MediaUnit);
    handover.takeNext(next.units[frame - 1] as MediaUnit);
  }
  expect([told(next.units), isDone()]).toEqual([[...numbers(1, 31, 'r'), ...numbers(31, 40, 'n')], true]);
});

test('an encoder that ends while it is awaited leaves everything to the running one', () => {
  const { handover, running, told } = setUp();
  const next = encode(0, 60);
  for (const unit of running.slice(1, 9)) handover.takeRunning(unit);
  for (const unit of next.units.slice(0, 9)) handover.takeNext(unit);
  for (const unit of running.slice(9, 14)) handover.takeRunning(unit);
  expect(told(next.units)).toEqual(numbers(1, 10, 'r'));
  handover.cancel();
  for (const unit of running.slice(14, 16)) handover.takeRunning(unit);
  expect(told(next.units)).toEqual(numbers(1, 16, 'r'));
});

test('in whatever order frames come, each goes out once, in order, and the encoders change once, at a keyframe', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200 }), fc.integer({ min: 0, max: 3 }), (turns, firstGop) => {
      const { handover, running, told, sent } = setUp();
      const next = encode(firstGop * gopFrames, 100);
      let [fromRunning, fromNext] = [0, 0];
      for (const isRunning of turns) {
        if (isRunning) handover.takeRunning(running[fromRunning++] ?? (running[0] as MediaUnit));
        else handover.takeNext(next.units[fromNext++] ?? (next.units[0] as MediaUnit));
        if (fromRunning === 100 || fromNext === 100) break;
      }
      handover.cancel();
      const all = told(next.units);
      expect(all.map((name) => Number.parseInt(name, 10))).toEqual(all.map((_, index) => index));
      const changeAt = all.findIndex((name) => name.endsWith('n'));
      if (changeAt < 0) return;
      expect(all.slice(changeAt).every((name) => name.endsWith('n'))).toBe(true);
      expect((sent[changeAt] as VideoUnit).keyframe).toBe(true);
    }),
    { numRuns: 500 },
  );
});
