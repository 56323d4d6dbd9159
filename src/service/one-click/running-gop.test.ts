import { expect, test } from 'vitest';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { decodeMs } from '../media/media-unit.ts';
import { RunningGop } from './running-gop.ts';

function readFrames() {
  const reader = new UnitReader();
  const [, , keyframe, frame, audio] = [
    videoHeader(),
    audioHeader(),
    videoFrame(0, { keyframe: true }),
    videoFrame(40),
    audioFrame(0),
  ].map((tag) => reader.readUnit(tag));
  if (keyframe?.type !== 'video' || frame?.type !== 'video' || audio?.type !== 'audio')
    throw new Error('These are video and audio frames.');
  return { keyframe, frame, audio };
}

test('a keyframe that outlives its media is moved to what is left, whatever timescale each track has', () => {
  const gop = new RunningGop();
  const { keyframe, audio } = readFrames();
  gop.push({ ...keyframe, timescale: 90_000, dts: 0, pts: 7_200 });
  for (let atMs = 20; atMs <= 2_000; atMs += 20)
    gop.push({ ...audio, timescale: 48_000, dts: atMs * 48, data: Buffer.alloc(500_000) });
  const [first, next] = gop.units;
  if (first?.type !== 'video' || next === undefined) throw new Error('The keyframe is kept.');
  expect(decodeMs(next)).toBeGreaterThan(1_000);
  expect([decodeMs(first), first.timescale, first.pts - first.dts]).toEqual([decodeMs(next), 90_000, 7_200]);
});

test('a GOP that has become too large lacks its frames up to the next keyframe, and those that follow are not kept', () => {
  const gop = new RunningGop();
  const { keyframe, frame, audio } = readFrames();
  const megabyte = Buffer.alloc(2 ** 20);
  const later = { ...audio, dts: audio.dts + 20 };
  for (let frames = 0; frames < 15; frames += 1) gop.push(frames === 0 ? keyframe : { ...frame, data: megabyte });
  gop.push(audio);
  expect([gop.lacksFrames, gop.units.length]).toEqual([false, 16]);
  gop.push({ ...frame, data: Buffer.alloc(3 * 2 ** 20) });
  gop.push(frame);
  gop.push(later);
  const moved = { ...keyframe, dts: audio.dts, pts: keyframe.pts + audio.dts - keyframe.dts };
  expect([gop.lacksFrames, gop.units]).toEqual([true, [moved, audio, later]]);
  gop.push(keyframe);
  gop.push(frame);
  expect([gop.lacksFrames, gop.units]).toEqual([false, [keyframe, frame]]);
});
