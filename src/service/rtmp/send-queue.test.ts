import { expect, test } from 'vitest';
import type { FlvTag } from '../flv/flv-tag.ts';
import { type QueuedTag, SendQueue } from './send-queue.ts';

/** A tag that is queued at its own time, as in real time. */
const tag = (kind: FlvTag['kind'], role: QueuedTag['role'], timestampMs: number, sizeBytes: number): QueuedTag => ({
  kind,
  role,
  timestampMs,
  queuedAtMs: timestampMs,
  body: Buffer.alloc(sizeBytes),
});
const config = tag('video', 'config', 0, 5);
const audioConfig = tag('audio', 'config', 0, 3);
const script = tag('script', 'config', 0, 1);
const keyframe = (timestampMs: number) => tag('video', 'keyframe', timestampMs, 5);
const frame = (timestampMs: number) => tag('video', 'frame', timestampMs, 5);
const audio = (timestampMs: number) => tag('audio', 'audio', timestampMs, 3);

function queueOf(tags: QueuedTag[], bounds = { maxQueueMs: 100, maxQueueBytes: 1000 }): SendQueue {
  const queue = new SendQueue(bounds);
  for (const queued of tags) queue.push(queued);
  return queue;
}

function drain(queue: SendQueue): QueuedTag[] {
  const tags: QueuedTag[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) tags.push(next);
  return tags;
}

test('tags within the limits come out unchanged', () => {
  const tags = [script, config, audioConfig, keyframe(0), audio(10), frame(40), frame(80), frame(100)];
  const queue = queueOf(tags);
  expect([queue.waitedMs(100), queue.sizeBytes, queue.droppedFrames]).toEqual([100, 1 + 5 + 3 + 3 + 4 * 5, 0]);
  expect(drain(queue)).toEqual(tags);
  expect([queue.waitedMs(100), queue.sizeBytes]).toEqual([0, 0]);
});

test('beyond the time limit media before the newest keyframe is dropped, except what a decoder needs', () => {
  const queue = queueOf([script, config, keyframe(0), audio(10), frame(40), keyframe(80), audio(90), frame(120)]);
  expect([queue.droppedFrames, queue.sizeBytes]).toEqual([2, 1 + 5 + 5 + 3 + 5]);
  expect(drain(queue)).toEqual([script, config, keyframe(80), audio(90), frame(120)]);
});

test('without a later keyframe, frames are dropped until one arrives', () => {
  const queue = queueOf([keyframe(0), frame(40), frame(80), frame(120), frame(160), audio(165), keyframe(200), frame(240)]);
  expect(queue.droppedFrames).toBe(5);
  expect(drain(queue)).toEqual([audio(165), keyframe(200), frame(240)]);
});

test('beyond the byte limit frames are dropped the same way', () => {
  const queue = queueOf([keyframe(0), frame(1), frame(2), keyframe(3), frame(4)], { maxQueueMs: 100, maxQueueBytes: 20 });
  expect(queue.droppedFrames).toBe(3);
  expect(drain(queue)).toEqual([keyframe(3), frame(4)]);
});

test('a keyframe that exceeds the byte limit by itself is dropped, too, and frames until the next one', () => {
  const large = tag('video', 'keyframe', 3, 21);
  const queue = queueOf([keyframe(0), frame(1), large, frame(4), keyframe(5)], { maxQueueMs: 100, maxQueueBytes: 20 });
  expect(queue.droppedFrames).toBe(4);
  expect(drain(queue)).toEqual([keyframe(5)]);
});

test('a whole GOP that is queued at once stays whole, sound included, until it has waited for too long', () => {
  const atOnce = [keyframe(0), audio(10), frame(400), audio(410), frame(800), audio(810)].map((queued) => ({
    ...queued,
    queuedAtMs: 800,
  }));
  const next = [frame(840), audio(850), frame(900)];
  const queue = queueOf([...atOnce, ...next]);
  expect([queue.waitedMs(900), queue.droppedFrames]).toEqual([100, 0]);
  queue.push(frame(901));
  expect([queue.waitedMs(901), queue.droppedFrames]).toEqual([0, 6]);
  expect(drain(queueOf([...atOnce, ...next]))).toEqual([...atOnce, ...next]);
});

test('timestamps do not count for how long media waited: another encoder may start anywhere', () => {
  const queue = queueOf([keyframe(0), { ...frame(1_000_000), queuedAtMs: 40 }, { ...frame(0xfffffff0), queuedAtMs: 80 }]);
  expect([queue.waitedMs(80), queue.droppedFrames]).toEqual([80, 0]);
});

test('audio without video is limited too', () => {
  const queue = queueOf([audio(0), audio(50), audio(100), audio(150), audio(200)]);
  expect(drain(queue)).toEqual([audio(200)]);
  expect(queue.droppedFrames).toBe(0);
});
