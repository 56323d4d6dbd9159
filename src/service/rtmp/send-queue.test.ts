import { expect, test } from 'vitest';
import type { FlvTag } from '../flv/flv-tag.ts';
import { SendQueue } from './send-queue.ts';

const config: FlvTag = { kind: 'video', timestampMs: 0, body: Buffer.from([0x17, 0, 0, 0, 0]) };
const audioConfig: FlvTag = { kind: 'audio', timestampMs: 0, body: Buffer.from([0xaf, 0, 0x12]) };
const script: FlvTag = { kind: 'script', timestampMs: 0, body: Buffer.from([2]) };
const keyframe = (timestampMs: number): FlvTag => ({ kind: 'video', timestampMs, body: Buffer.from([0x17, 1, 0, 0, 0]) });
const frame = (timestampMs: number): FlvTag => ({ kind: 'video', timestampMs, body: Buffer.from([0x27, 1, 0, 0, 0]) });
const audio = (timestampMs: number): FlvTag => ({ kind: 'audio', timestampMs, body: Buffer.from([0xaf, 1, 0]) });

function queueOf(tags: FlvTag[], bounds = { maxQueueMs: 100, maxQueueBytes: 1000 }): SendQueue {
  const queue = new SendQueue(bounds);
  for (const tag of tags) queue.push(tag);
  return queue;
}

function drain(queue: SendQueue): FlvTag[] {
  const tags: FlvTag[] = [];
  for (let tag = queue.shift(); tag !== undefined; tag = queue.shift()) tags.push(tag);
  return tags;
}

test('tags within the limits come out unchanged', () => {
  const tags = [script, config, audioConfig, keyframe(0), audio(10), frame(40), frame(80), frame(100)];
  const queue = queueOf(tags);
  expect([queue.durationMs, queue.sizeBytes, queue.droppedFrames]).toEqual([100, 1 + 5 + 3 + 3 + 4 * 5, 0]);
  expect(drain(queue)).toEqual(tags);
  expect([queue.durationMs, queue.sizeBytes]).toEqual([0, 0]);
});

test('beyond the time limit media before the newest keyframe is dropped, except what a decoder needs', () => {
  const queue = queueOf([script, config, keyframe(0), audio(10), frame(40), keyframe(80), audio(90), frame(120)]);
  expect(queue.droppedFrames).toBe(2);
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

test('time is measured across the wrap of timestamps', () => {
  expect(queueOf([keyframe(0xfffffff0), frame(0x10)]).durationMs).toBe(32);
});

test('audio without video is limited too', () => {
  const queue = queueOf([audio(0), audio(50), audio(100), audio(150), audio(200)]);
  expect(drain(queue)).toEqual([audio(200)]);
  expect(queue.droppedFrames).toBe(0);
});

test('frames of HEVC are dropped up to the next keyframe, too, and their parameters never', () => {
  const hevc = (first: number, timestampMs: number): FlvTag => ({
    kind: 'video',
    timestampMs,
    body: Buffer.from([first, 0x68, 0x76, 0x63, 0x31, 0, 0, 0]),
  });
  const parameters = hevc(0x90, 0);
  const next = hevc(0x91, 200);
  const queue = queueOf([parameters, hevc(0x91, 0), hevc(0xa1, 40), hevc(0xa1, 80), hevc(0xa1, 120), hevc(0xa3, 160), next]);
  expect(drain(queue)).toEqual([parameters, next]);
  expect(queue.droppedFrames).toBe(5);
});
