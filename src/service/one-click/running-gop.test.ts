import { expect, test } from 'vitest';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { decodeMs } from '../media/media-unit.ts';
import { RunningGop } from './running-gop.ts';

test('a keyframe that outlives its media is moved to what is left, whatever timescale each track has', () => {
  const gop = new RunningGop();
  const reader = new UnitReader();
  const [, , keyframe, audio] = [videoHeader(), audioHeader(), videoFrame(0, { keyframe: true }), audioFrame(0)].map((tag) =>
    reader.readUnit(tag),
  );
  if (keyframe?.type !== 'video' || audio?.type !== 'audio') throw new Error('These are a video and an audio frame.');
  gop.push({ ...keyframe, timescale: 90_000, dts: 0, pts: 7_200 });
  for (let atMs = 20; atMs <= 2_000; atMs += 20)
    gop.push({ ...audio, timescale: 48_000, dts: atMs * 48, data: Buffer.alloc(500_000) });
  const [first, next] = gop.units;
  if (first?.type !== 'video' || next === undefined) throw new Error('The keyframe is kept.');
  expect(decodeMs(next)).toBeGreaterThan(1_000);
  expect([decodeMs(first), first.timescale, first.pts - first.dts]).toEqual([decodeMs(next), 90_000, 7_200]);
});
