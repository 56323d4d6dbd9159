import { expect, it } from 'vitest';
import { appendSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { forgetfulFolder, packagedSegment } from '../../../test/support/segments.ts';
import { soon } from '../../../test/support/soon.ts';
import { MediaMemory } from '../hls/media-memory.ts';
import { measureRendition } from './measure-rendition.ts';

it('measures the video of the newest segments: its bitrate without audio, its frame rate and its keyframes', () => {
  const store = createSegmentStore();
  expect(measureRendition(store, 1)).toEqual({});
  appendSegment(store, packagedSegment({ videoBytes: 1 }));
  for (let index = 0; index < 5; index += 1)
    appendSegment(store, packagedSegment({ bytes: Buffer.alloc(600_000), videoBytes: 500_000 }));
  const place = { msn: 6, discontinuity: false, discontinuitySequence: 0, shiftMs: 0 };
  store.appendGap({ place, startMs: 12_000, programDateTimeMs: 0, durationSeconds: 2 });
  expect(measureRendition(store, 1)).toEqual({
    bitrateBps: 2_000_000,
    fps: 30,
    width: 1280,
    height: 720,
    keyframeIntervalSeconds: 2,
    segmentSeconds: 2,
  });
});

it('measures per second of the wall clock if the source is slower than real time', () => {
  const store = createSegmentStore();
  appendSegment(store, packagedSegment({ videoBytes: 500_000 }));
  expect(measureRendition(store, 0.7)).toMatchObject({ bitrateBps: 1_400_000, fps: 21, keyframeIntervalSeconds: 2 });
});

it('says nothing of a picture without video, and no keyframe interval without keyframes', () => {
  const bytes = Buffer.alloc(1_000);
  const store = createSegmentStore();
  appendSegment(store, packagedSegment({ parts: [{ bytes, durationSeconds: 2, independent: false }] }));
  expect(measureRendition(store, 1)).toStrictEqual({ bitrateBps: 4_000, fps: 30, width: 1280, height: 720, segmentSeconds: 2 });
  const sound = createSegmentStore();
  const tracks = { audio: { codec: 'mp4a.40.2', sampleRateHz: 48_000, channels: 2 } };
  const init = { id: 'b1', bytes: Buffer.from('init b1'), tracks };
  appendSegment(sound, packagedSegment({ init, videoFrames: 0, videoBytes: 0 }));
  expect(measureRendition(sound, 1)).toStrictEqual({ bitrateBps: 0, fps: 0, segmentSeconds: 2 });
});

it('counts the keyframes of segments that have gone to disk, as those before a row of gaps may', async () => {
  const store = createSegmentStore({ folder: forgetfulFolder, memory: new MediaMemory(1_000) });
  for (let index = 0; index < 5; index += 1) appendSegment(store, packagedSegment());
  for (let msn = 5; msn < 10; msn += 1) {
    const place = { msn, discontinuity: false, discontinuitySequence: 0, shiftMs: 0 };
    store.appendGap({ place, startMs: msn * 2_000, programDateTimeMs: 0, durationSeconds: 2 });
    await soon(() => expect(store.segments.slice(0, -7).filter(({ path }) => path === undefined)).toEqual([]));
  }
  expect(store.segments[2]?.path).toBe('/2.m4s');
  expect(measureRendition(store, 1).keyframeIntervalSeconds).toBe(2);
});
