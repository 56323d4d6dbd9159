import { expect, test } from 'vitest';
import { FrameDropper, type OfferedFrame } from './frame-dropper.ts';

const frames: Readonly<Record<string, OfferedFrame>> = {
  K: { isKeyframe: true, isDisposable: false },
  P: { isKeyframe: false, isDisposable: false },
  b: { isKeyframe: false, isDisposable: true },
};

/** Offers frames while so much is waiting, and returns those that were sent, with a dot for each that wasn't. */
function offer(dropper: FrameDropper, text: string, waitMs: number): string {
  return [...text].map((kind) => (dropper.take(frames[kind] as OfferedFrame, waitMs) ? kind : '.')).join('');
}

test('under 700 ms every frame is sent', () => {
  const dropper = new FrameDropper();
  expect(offer(dropper, 'KPbPbKPb', 699)).toBe('KPbPbKPb');
  expect([dropper.droppedFrames, dropper.takeReport()]).toEqual([0, undefined]);
});

test('from 700 ms frames that no other needs are dropped, and from 900 ms all up to the next keyframe', () => {
  const dropper = new FrameDropper();
  expect(offer(dropper, 'KPb', 0)).toBe('KPb');
  expect(offer(dropper, 'PbPb', 700)).toBe('P.P.');
  expect(dropper.takeReport()).toEqual({ frames: 2, toKeyframe: false, withDisposable: true });
  expect(offer(dropper, 'PbP', 900)).toBe('...');
  // The following frames need one that was dropped.
  expect(offer(dropper, 'PbP', 100)).toBe('...');
  expect(dropper.takeReport()).toBeUndefined();
  expect(offer(dropper, 'KPb', 100)).toBe('KPb');
  expect(dropper.takeReport()).toEqual({ frames: 6, toKeyframe: true, withDisposable: true });
  expect([dropper.droppedFrames, dropper.takeReport()]).toEqual([8, undefined]);
});

test('below 900 ms frames that others need are sent, while frames that none needs are dropped', () => {
  const dropper = new FrameDropper();
  expect(offer(dropper, 'KPb', 0) + offer(dropper, 'PbKPb', 899)).toBe('KPbP.KP.');
});

test('an encoder without such frames drops up to the next keyframe from 700 ms on', () => {
  const dropper = new FrameDropper();
  expect(offer(dropper, 'KPPP', 650)).toBe('KPPP');
  expect(offer(dropper, 'PP', 700)).toBe('..');
  expect(offer(dropper, 'PKP', 300)).toBe('.KP');
  expect(dropper.takeReport()).toEqual({ frames: 3, toKeyframe: true, withDisposable: false });
});

test('an encoder that made its last such frame 60 frames ago has none any more', () => {
  const dropper = new FrameDropper();
  expect(offer(dropper, `Kb${'P'.repeat(58)}`, 0)).toBe(`Kb${'P'.repeat(58)}`);
  expect(offer(dropper, 'PPP', 800)).toBe('P..');
  expect(offer(dropper, 'K', 0)).toBe('K');
  expect(dropper.takeReport()).toEqual({ frames: 2, toKeyframe: true, withDisposable: false });
});

test('a keyframe that would wait as long is dropped, too', () => {
  const dropper = new FrameDropper();
  expect(offer(dropper, 'KPKPK', 800)).toBe('.....');
  expect(offer(dropper, 'PPK', 200)).toBe('..K');
});

test('a new connection begins with a whole GOP, so what follows is sent', () => {
  const dropper = new FrameDropper();
  expect(offer(dropper, 'KPP', 800)).toBe('...');
  dropper.begin();
  expect(offer(dropper, 'PP', 0)).toBe('PP');
  expect(dropper.takeReport()).toEqual({ frames: 3, toKeyframe: true, withDisposable: false });
});
