import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { describeUnit } from '../../../test/support/describe-unit.ts';
import { audioHeader, broadcast, encoderMetadata, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { placeTags } from '../../../test/support/transcode-stand.ts';
import { FlvReader } from '../flv/flv-file.ts';
import { readUnits } from '../flv/unit-reader.ts';
import { aacFormat } from '../media/aac-format.ts';
import { h264Format } from '../media/h264-format.ts';
import { decodeMs, type PlacedUnit, type VideoUnit } from '../media/media-unit.ts';
import { RunInput } from './run-input.ts';

const video = h264Format.parseRecord(videoHeader().body.subarray(5));
const audio = aacFormat.parseRecord(audioHeader().body.subarray(2));
type Frame = PlacedUnit & VideoUnit;
const isFrame = (unit: PlacedUnit): unit is Frame => unit.type === 'video';

/** A second at 25 fps whose second keyframe is at 520 ms. */
const units = placeTags(broadcast({ durationMs: 1_000, gopFrames: 13 }));
const frames = units.filter(isFrame);

/** The input of an ffmpeg that reads its stdin on command. */
function setUp({
  maxQueueBytes = 1_000_000,
  startMs = 0,
  hasAudio = false,
  fps,
}: {
  maxQueueBytes?: number;
  startMs?: number;
  hasAudio?: boolean;
  fps?: number;
} = {}) {
  const written: Buffer[] = [];
  const waiting: (() => void)[] = [];
  const pipe = new Writable({
    highWaterMark: 1,
    write(bytes: Buffer, _, done) {
      written.push(bytes);
      waiting.push(done);
    },
  });
  const skipped: [frames: number, keyframeMs: number][] = [];
  const input = new RunInput({
    pipe,
    timeline: 0,
    startMs,
    originMs: 10_000,
    video,
    fps,
    audio: hasAudio ? audio : undefined,
    maxQueueBytes,
    onSkipped: (count, keyframeMs) => skipped.push([count, keyframeMs]),
  });
  /** ffmpeg takes everything that waits. */
  const take = async () => {
    while (waiting.length > 0 || pipe.writableLength > 0) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
  };
  const readTags = async () => {
    await take();
    return new FlvReader().push(Buffer.concat(written));
  };
  const read = async () => {
    await take();
    return readUnits(Buffer.concat(written));
  };
  return { input, pipe, skipped, take, read, readTags };
}

test('ffmpeg is fed the configurations and then the media, moved to where its timeline starts', async () => {
  const { input, read } = setUp({ startMs: 40, hasAudio: true });
  const sound = units.find(({ type }) => type === 'audio')!;
  input.pushVideo({ ...frames[0]!, dts: 40, pts: 40 });
  input.pushAudio({ ...sound, dts: 60 });
  const fed = await read();
  expect(fed.map(({ type }) => type)).toEqual(['config', 'config', 'video', 'audio']);
  expect(fed.slice(2).map(decodeMs)).toEqual([10_000, 10_020]);
});

test('ffmpeg is told the frame rate before the configurations, where it is known', async () => {
  const { readTags } = setUp({ fps: 30_000 / 1001, hasAudio: true });
  const tags = await readTags();
  expect(tags.map(({ kind }) => kind)).toEqual(['script', 'video', 'audio']);
  expect(tags[0]).toEqual(encoderMetadata({ framerate: 30_000 / 1001 }));
  const unknown = await setUp({ hasAudio: true }).readTags();
  expect(unknown).toEqual(tags.slice(1));
});

test('a decode time that goes back stays where it was, and the presentation time is kept', async () => {
  const { input, read } = setUp();
  const [one, two] = placeTags([videoHeader(), videoFrame(0, { keyframe: true }), videoFrame(40)]).filter(isFrame);
  input.pushVideo({ ...one!, dts: 100, pts: 140 });
  input.pushVideo({ ...two!, dts: 90, pts: 150 });
  const fed = await read();
  expect(fed.slice(1).map((unit) => [decodeMs(unit), unit.type === 'video' && unit.pts])).toEqual([
    [10_100, 10_140],
    [10_100, 10_150],
  ]);
});

test('frames that ffmpeg does not take are left out up to a keyframe that finds room, and reported once', async () => {
  const { input, skipped, take, read } = setUp({ maxQueueBytes: 1_000 });
  const fed = frames.map((frame) => input.pushVideo(frame));
  const first = fed.indexOf(false);
  expect(first).toBeGreaterThan(3);
  // The keyframe at 520 ms found no room.
  expect(fed.slice(first)).toEqual(Array(25 - first).fill(false));
  expect(skipped).toEqual([]);
  await take();
  expect(input.pushVideo({ ...frames[1]!, dts: 1_040, pts: 1_040 })).toBe(false);
  expect(input.pushVideo({ ...frames[0]!, dts: 1_080, pts: 1_080 })).toBe(true);
  expect(skipped).toEqual([[26 - first, 1_080]]);
  expect((await read()).slice(1).map(describeUnit).at(-1)).toBe('video 11080 109');
});

test('frames that are left out at the end are reported when it ends', () => {
  const { input, pipe, skipped } = setUp({ maxQueueBytes: 1_000 });
  const left = frames.filter((frame) => !input.pushVideo(frame));
  input.end();
  expect(skipped).toEqual([[left.length, Number.POSITIVE_INFINITY]]);
  expect(pipe.writable).toBe(false);
});

test('a frame is due once the next one is fed, and one that is left out counts as fed', () => {
  const { input } = setUp({ maxQueueBytes: 1 });
  expect([input.lastFedMs, input.dueMs]).toEqual([0, 0]);
  const [one, two, three] = frames as [Frame, Frame, Frame];
  for (const frame of [one, two, three]) input.pushVideo(frame);
  expect([input.lastFedMs, input.dueMs]).toEqual([80, 40]);
});
