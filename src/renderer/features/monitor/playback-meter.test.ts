import { expect, test } from 'vitest';
import { type PlaybackLook, PlaybackMeter } from './playback-meter.ts';

/** Looks every 250 ms at a 30 fps video playing at `speed`. */
class Watch {
  readonly meter = new PlaybackMeter();
  atMs = 1_000_000;
  #position = 0;
  #frames = 0;

  look(changes: Partial<PlaybackLook> = {}) {
    return this.meter.add({
      atMs: this.atMs,
      positionSeconds: this.#position,
      isMeant: true,
      isSeeking: false,
      totalFrames: Math.round(this.#frames),
      droppedFrames: 0,
      ...changes,
    });
  }

  play(seconds: number, speed = 1, changes: Partial<PlaybackLook> = {}) {
    for (let step = 0; step < seconds * 4; step += 1) {
      this.atMs += 250;
      this.#position += 0.25 * speed;
      this.#frames += 7.5 * speed;
      this.look(changes);
    }
    return this.look(changes);
  }

  seek(seconds: number) {
    this.#position += seconds;
  }

  startFresh() {
    this.#frames = 0;
  }
}

test('a playing picture has no stalls, and its frames are counted by the wall clock', () => {
  const watch = new Watch();
  expect(watch.look().state).toBe('waiting');
  expect(watch.play(1).fps).toBeUndefined();
  expect(watch.play(9)).toEqual({
    state: 'playing',
    holdSeconds: undefined,
    stalls: 0,
    stalledSeconds: 0,
    recentStalls: 0,
    recentStalledSeconds: 0,
    decodedFrames: 300,
    droppedFrames: 0,
    fps: 30,
  });
});

test('an encoder slower than real time shows fewer frames per second and stalls, though each second of media has 30', () => {
  const watch = new Watch();
  watch.look();
  for (let turn = 0; turn < 10; turn += 1) {
    watch.play(2);
    watch.play(1, 0);
  }
  const sums = watch.look();
  expect(sums.fps).toBeCloseTo(20, 0);
  expect(sums).toMatchObject({ state: 'stalled', holdSeconds: 1, stalls: 10, stalledSeconds: 10, decodedFrames: 600 });
});

test('waiting for the first frame is no stall', () => {
  const watch = new Watch();
  expect(watch.play(3, 0)).toMatchObject({ state: 'waiting', holdSeconds: 2.75, stalls: 0, stalledSeconds: 0 });
});

test('a player that jumps to live before its first frame has moved is still waiting', () => {
  const watch = new Watch();
  watch.play(1, 0, { isSeeking: true });
  expect(watch.play(1, 0)).toMatchObject({ state: 'waiting', holdSeconds: 1.75, stalls: 0, stalledSeconds: 0 });
});

test('a picture that plays more slowly is not stalled', () => {
  const watch = new Watch();
  expect(watch.play(10, 0.9)).toMatchObject({ state: 'playing', stalls: 0, stalledSeconds: 0 });
});

test('each jump has its own time', () => {
  const watch = new Watch();
  for (let jump = 0; jump < 3; jump += 1) {
    watch.play(1);
    expect(watch.play(1, 0, { isSeeking: true })).toMatchObject({ state: 'playing', stalls: 0, stalledSeconds: 0 });
  }
});

test('neither a pause nor the seek that ends it is a stall', () => {
  const watch = new Watch();
  watch.play(4);
  expect(watch.play(5, 0, { isMeant: false })).toMatchObject({ state: 'paused', fps: undefined, stalls: 0 });
  watch.seek(5);
  expect(watch.play(2)).toMatchObject({ state: 'playing', stalls: 0, stalledSeconds: 0 });
});

test('a jump over unplayable media does not hide the stall', () => {
  const watch = new Watch();
  watch.play(2);
  watch.play(1, 0);
  watch.seek(30);
  expect(watch.play(0.25, 0)).toMatchObject({ state: 'stalled', stalls: 1 });
});

test('a new player counts its frames from zero, and the totals continue', () => {
  const watch = new Watch();
  watch.play(4);
  watch.startFresh();
  expect(watch.play(4)).toMatchObject({ decodedFrames: 232, droppedFrames: 0, stalls: 0 });
});

test('frames that were too late to show are counted beside the decoded ones, also over a new player, and lower the rate', () => {
  const watch = new Watch();
  watch.look();
  for (let second = 1; second <= 10; second += 1) watch.play(1, 1, { droppedFrames: second * 10 });
  expect(watch.look({ droppedFrames: 100 })).toMatchObject({ decodedFrames: 300, droppedFrames: 100, fps: 20 });
  watch.startFresh();
  expect(watch.play(1, 1, { droppedFrames: 5 })).toMatchObject({ decodedFrames: 330, droppedFrames: 105 });
});

test('a stall ends with the look at a hidden page: what the picture did until the next one is unknown', () => {
  const watch = new Watch();
  watch.play(4);
  expect(watch.play(1, 0)).toMatchObject({ state: 'stalled', stalls: 1, stalledSeconds: 1 });
  watch.meter.rest();
  watch.atMs += 3_000;
  expect(watch.look()).toMatchObject({ state: 'waiting', holdSeconds: 0, stalls: 1, stalledSeconds: 1, fps: undefined });
  expect(watch.play(2.25)).toMatchObject({ state: 'playing', stalls: 1, stalledSeconds: 1, fps: 30 });
});

test('time on a hidden page is not a stall', () => {
  const watch = new Watch();
  watch.play(4);
  watch.meter.rest();
  watch.atMs += 600_000;
  expect(watch.look()).toMatchObject({ state: 'waiting', holdSeconds: 0, stalls: 0 });
  expect(watch.play(2)).toMatchObject({ state: 'playing', stalls: 0, stalledSeconds: 0 });
});

test('a time without looks, in which the page slept, is not a stall', () => {
  const watch = new Watch();
  watch.play(4);
  watch.atMs += 5_001;
  expect(watch.look()).toMatchObject({ state: 'waiting', holdSeconds: 0, stalls: 0, stalledSeconds: 0 });
  expect(watch.play(2)).toMatchObject({ state: 'playing', stalls: 0, stalledSeconds: 0, recentStalledSeconds: 0 });
  watch.atMs += 5_000;
  expect(watch.look()).toMatchObject({ state: 'stalled', stalls: 1, stalledSeconds: 5 });
});

test('stalls of the last minute are reported beside the totals', () => {
  const watch = new Watch();
  watch.play(2);
  watch.play(1, 0);
  expect(watch.play(1)).toMatchObject({ stalls: 1, stalledSeconds: 1, recentStalls: 1, recentStalledSeconds: 1 });
  expect(watch.play(57)).toMatchObject({ recentStalls: 1, recentStalledSeconds: 1 });
  expect(watch.play(4)).toMatchObject({ stalls: 1, stalledSeconds: 1, recentStalls: 0, recentStalledSeconds: 0 });
});

test('a short jump is neither a stall nor a pause, a long one a stall, and one from a stall continues it', () => {
  const watch = new Watch();
  watch.play(2);
  expect(watch.play(1, 0, { isSeeking: true })).toMatchObject({ state: 'playing', stalls: 0 });
  watch.play(1);
  expect(watch.play(3, 0, { isSeeking: true })).toMatchObject({ state: 'stalled', stalls: 1 });
  watch.play(1);
  expect(watch.play(1, 0)).toMatchObject({ state: 'stalled', stalls: 2 });
  expect(watch.play(1, 0, { isSeeking: true })).toMatchObject({ state: 'stalled', stalls: 2 });
});

test('a pause is no stall', () => {
  const watch = new Watch();
  watch.play(2);
  expect(watch.play(3, 0, { isMeant: false })).toMatchObject({ state: 'paused', stalls: 0 });
  expect(watch.play(0.5, 0)).toMatchObject({ state: 'playing', stalls: 0 });
});

test('a pause divides a stall, and its own time is in neither', () => {
  const watch = new Watch();
  watch.play(2);
  expect(watch.play(1, 0)).toMatchObject({ state: 'stalled', stalls: 1, stalledSeconds: 1 });
  expect(watch.play(5, 0, { isMeant: false })).toMatchObject({ state: 'paused', stalls: 1, stalledSeconds: 1 });
  expect(watch.play(1, 0)).toMatchObject({ state: 'stalled', stalls: 2, stalledSeconds: 1.75 });
});

test('the time until the picture moves again is part of the stall, even if it moves between two looks', () => {
  const watch = new Watch();
  watch.play(2);
  watch.play(1, 0);
  expect(watch.play(0.25, 0.2)).toMatchObject({ state: 'playing', stalls: 1, stalledSeconds: expect.closeTo(1.2, 6) });
});
