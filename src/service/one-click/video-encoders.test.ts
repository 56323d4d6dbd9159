import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { EncoderFailure } from './encoder.ts';
import { type EncoderListener, VideoEncoders } from './video-encoders.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const failure: EncoderFailure = { failure: { code: 'killed', signal: 'SIGKILL' }, stderr: [] };

/** Encoders that make what the test says, at 10 frames per second with a keyframe each second. */
function setUp() {
  const told: string[] = [];
  const started: { name: string; listener: EncoderListener; make: (frame: number) => void }[] = [];
  const encoders = new VideoEncoders(
    {
      fps: 10,
      originMs: 1_000,
      start(bitrateBps, listener) {
        const name = `${bitrateBps / 1000}k`;
        const reader = new UnitReader();
        const send = (unit: MediaUnit | undefined) => unit && listener.onUnit(unit);
        told.push(`start ${name}`);
        let isFirst = true;
        started.push({
          name,
          listener,
          make(frame) {
            if (isFirst) send(reader.readUnit(videoHeader()));
            send(reader.readUnit(videoFrame(1_000 + frame * 100, { keyframe: isFirst || frame % 10 === 0 })));
            isFirst = false;
          },
        });
        return {
          async stop() {
            told.push(`stop ${name}`);
          },
        };
      },
      onUnit: (unit) => told.push(unit.type === 'video' ? `${(unit.dts - 1_000) / 100}` : unit.type),
      onMetadata: (metadata) => told.push(`metadata ${metadata.get('of')}`),
      onProgress: () => told.push('progress'),
      onFallback: () => told.push('fallback'),
      onRestart: () => told.push('restart'),
      onFailed: () => told.push('failed'),
    },
    3_000_000,
  );
  const encoder = (index: number) => started[index] as (typeof started)[number];
  return { encoders, told, encoder };
}

test('a second encoder begins at a keyframe, takes over at one, and the first ends', async () => {
  const { encoders, told, encoder } = setUp();
  encoder(0).listener.onMetadata(new Map([['of', 'first']]));
  for (const frame of [0, 1]) encoder(0).make(frame);
  const replaced = encoders.replace(1_000_000);
  encoder(1).listener.onMetadata(new Map([['of', 'second']]));
  encoder(1).listener.onProgress({} as never, 1);
  for (const frame of [2, 9, 10]) encoder(0).make(frame);
  for (const frame of [10, 18]) encoder(1).make(frame);
  for (const frame of [11, 19, 20]) encoder(0).make(frame);
  for (const frame of [19, 20, 21]) encoder(1).make(frame);
  expect(await replaced).toBe(true);
  encoder(0).make(21);
  encoder(0).listener.onFailed(failure);
  expect(told).toEqual([
    ...['start 3000k', 'metadata first', 'config', '0', '1', 'start 1000k'],
    ...['2', '9', '10', '11', '19', '20', 'metadata second', 'stop 3000k', '21'],
  ]);
  encoder(1).listener.onRestart(failure, 0);
  expect(told.at(-1)).toBe('restart');
});

test('one change at a time: another one meanwhile is refused', async () => {
  const { encoders, told } = setUp();
  void encoders.replace(1_000_000);
  expect(await encoders.replace(2_000_000)).toBe(false);
  expect(told).toEqual(['start 3000k', 'start 1000k']);
  await encoders.stop();
});

test.each(['onFallback', 'onRestart', 'onFailed'] as const)(
  'a second encoder that fails (%s) leaves all as it is',
  async (how) => {
    const { encoders, told, encoder } = setUp();
    encoder(0).make(1);
    const replaced = encoders.replace(1_000_000);
    encoder(1).make(9);
    encoder(0).make(10);
    if (how === 'onFallback') encoder(1).listener.onFallback('h264_nvenc');
    else encoder(1).listener[how](failure, 0);
    expect(await replaced).toBe(false);
    encoder(0).make(11);
    expect(told).toEqual(['start 3000k', 'config', '1', 'start 1000k', '10', 'stop 1000k', '11']);
    // The next change is a new one.
    void encoders.replace(1_000_000);
    expect(told.at(-1)).toBe('start 1000k');
    await encoders.stop();
  },
);

test('a second encoder that is not in step within 20 s is given up', async () => {
  const { encoders, told, encoder } = setUp();
  const replaced = encoders.replace(1_000_000);
  encoder(0).make(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await replaced).toBe(false);
  expect(told).toEqual(['start 3000k', 'start 1000k', 'config', '1', 'stop 1000k']);
});

test('stopping ends both, answers the change, and nothing more is reported', async () => {
  const { encoders, told, encoder } = setUp();
  const replaced = encoders.replace(1_000_000);
  await encoders.stop();
  encoder(0).make(1);
  encoder(0).listener.onFailed(failure);
  encoder(1).listener.onFailed(failure);
  expect(await replaced).toBe(false);
  expect([...new Set(told)].sort()).toEqual(['start 1000k', 'start 3000k', 'stop 1000k', 'stop 3000k']);
  expect(vi.getTimerCount()).toBe(0);
});
