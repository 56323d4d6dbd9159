import { expect, test } from 'vitest';
import { sampleRate } from './feed-format.ts';
import { LiveSound } from './live-sound.ts';

const tickSamples = sampleRate / 50;
/** One wave of a slow sine. */
const wave = Int16Array.from({ length: 480 }, (_, at) => 10_000 * Math.sin((2 * Math.PI * at) / 480));
const waveAt = (at: number) => wave[at % wave.length] ?? 0;

/** A sound that plays the samples of a device with a clock of its own. */
class Device {
  readonly sound = new LiveSound(async () => {});
  #delivered = 0;
  #owed = 0;

  /** Delivers 20 ms by the device's clock, `pace` times as fast as ours: a slow sine. */
  deliver(pace = 1): void {
    this.#owed += tickSamples * pace;
    const samples = Math.floor(this.#owed);
    this.#owed -= samples;
    const values = new Int16Array(samples * 2);
    for (let index = 0; index < values.length; index += 1) values[index] = waveAt(this.#delivered + (index >> 1));
    this.#delivered += samples;
    this.sound.push(Buffer.from(values.buffer));
  }

  /** Takes 20 ms by our clock: the left side. */
  take(): number[] {
    const target = new Int16Array(tickSamples * 2);
    const taken = this.sound.take(target);
    return [...target.subarray(0, taken * 2)].filter((_, index) => index % 2 === 0);
  }
}

test('nothing is taken before 40 ms wait, and again after it ran dry', () => {
  const device = new Device();
  device.deliver();
  expect(device.take()).toEqual([]);
  device.deliver();
  expect([device.take().length, device.take().length]).toEqual([tickSamples, tickSamples]);
  expect([device.take().length, device.take().length]).toEqual([0, 0]);
  device.deliver();
  expect(device.take()).toEqual([]);
});

const rates = [10, 15, 24, 30, 60].flatMap((fps) => [[fps, 'on time'] as const, [fps, 'sometimes late'] as const]);
test.each(rates)('at %i frames per second, sound that comes %s is heard without a gap', (fps, how) => {
  const sound = new LiveSound(async () => {});
  const frameSamples = sampleRate / fps;
  const pieceSamples = sampleRate / 100;
  const shortFrames: number[] = [];
  let delivered = 0;
  for (let frame = 1; frame <= fps * 5; frame += 1) {
    // It comes in pieces of 10 ms: not every frame has all of its own.
    const due = frame * frameSamples - (how === 'sometimes late' && frame % 3 === 0 ? pieceSamples : 0);
    for (; delivered + pieceSamples <= due; delivered += pieceSamples) sound.push(Buffer.alloc(pieceSamples * 4));
    if (sound.take(new Int16Array(frameSamples * 2)) < frameSamples) shortFrames.push(frame);
    expect(sound.fault).toBeUndefined();
  }
  expect(shortFrames).toEqual(shortFrames.map((_, index) => index + 1));
  expect(shortFrames.length).toBeLessThan(5);
});

test('at 10 frames per second, sound is not played faster because it waited for the first frame', () => {
  const device = new Device();
  const heard: number[] = [];
  for (let frame = 0; frame < 60; frame += 1) {
    for (let tick = 0; tick < 5; tick += 1) device.deliver();
    const target = new Int16Array(tickSamples * 10);
    const taken = device.sound.take(target);
    heard.push(...target.subarray(0, taken * 2).filter((_, index) => index % 2 === 0));
  }
  const start = (tickSamples * 10 - (tickSamples * 5 + sampleRate * 0.04)) % wave.length;
  expect(heard).toEqual(heard.map((_, at) => waveAt(start + at)));
  expect(heard.length).toBe(59 * tickSamples * 5);
});

test('sound that comes at our pace comes out as it is', () => {
  const device = new Device();
  device.deliver();
  const heard: number[] = [];
  for (let tick = 0; tick < 200; tick += 1) {
    device.deliver();
    heard.push(...device.take());
  }
  expect(heard).toEqual(heard.map((_, at) => waveAt(at)));
});

test.each([1.0008, 0.9992])(
  'a device whose clock runs at %f of ours is heard for a minute without a gap or a click',
  (pace) => {
    const device = new Device();
    device.deliver(pace);
    device.deliver(pace);
    let last: number | undefined;
    let steepest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let tick = 0; tick < 3_000; tick += 1) {
      device.deliver(pace);
      const heard = device.take();
      least = Math.min(least, heard.length);
      for (const value of heard) {
        steepest = Math.max(steepest, Math.abs(value - (last ?? value)));
        last = value;
      }
    }
    expect(least).toBe(tickSamples);
    // A sine of 100 Hz moves by 131 from sample to sample at most.
    expect(steepest).toBeLessThan(140);
  },
);

test.each([
  ['is too fast to be made up for', 1.02],
  ['is too slow to be made up for', 0.99],
  ['runs at another sample rate', 44_100 / 48_000],
])('a device whose clock %s is reported until it keeps time', (_name, pace) => {
  const device = new Device();
  const play = (seconds: number, playPace: number) => {
    let firstFaultSeconds: number | undefined;
    for (let tick = 0; tick < seconds * 50; tick += 1) {
      device.deliver(playPace);
      device.take();
      if (device.sound.fault !== undefined) firstFaultSeconds ??= tick / 50;
    }
    return firstFaultSeconds;
  };
  expect(play(5, 1)).toBeUndefined();
  expect(play(60, pace)).toBeGreaterThan(1);
  expect(device.sound.fault).toEqual({ code: 'off-clock' });
  play(60, 1);
  expect(device.sound.fault).toBeUndefined();
});

test('a device that loses sound now and then keeps time', () => {
  const device = new Device();
  // Seconds at which 60 ms are lost.
  const lost = [5, 9, 21, 24, 50, 53, 57, 80];
  const faults = new Set();
  for (let tick = 0; tick < 100 * 50; tick += 1) {
    if (!lost.some((second) => tick >= second * 50 && tick < second * 50 + 3)) device.deliver();
    device.take();
    faults.add(device.sound.fault);
  }
  expect([...faults]).toEqual([undefined]);
});

test('sound that a burst left late is with its picture again within 40 s, without a gap or a click', () => {
  const device = new Device();
  // 0.2 s that a busy computer delivered at once.
  for (let tick = 0; tick < 10; tick += 1) device.deliver();
  const heard: number[] = [];
  for (let tick = 0; tick < 40 * 50; tick += 1) {
    device.deliver();
    heard.push(...device.take());
  }
  expect(heard).toHaveLength(40 * sampleRate);
  expect(heard.reduce((most, value, at) => Math.max(most, Math.abs(value - (heard[at - 1] ?? value))), 0)).toBeLessThan(140);
  let waiting = 0;
  while (device.take().length === tickSamples) waiting += 1;
  expect(waiting).toBeLessThanOrEqual(2);
});

test('sound that piles up is cut back: what viewers hear is never late', () => {
  const device = new Device();
  for (let tick = 0; tick < 100; tick += 1) device.deliver();
  let left = 0;
  while (device.take().length === tickSamples) left += 1;
  expect(left).toBeLessThanOrEqual(12);
});

test('what waited before anything was taken says nothing of the clock', () => {
  const device = new Device();
  for (let tick = 0; tick < 100; tick += 1) device.deliver();
  expect(device.sound.fault).toBeUndefined();
  expect(device.take().length).toBe(tickSamples);
});
