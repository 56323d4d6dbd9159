import { beforeEach, expect, test } from 'vitest';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import { CaptureStamper } from './capture-stamper.ts';

const startedAtMs = Date.UTC(2030, 0, 1);
/** What ffmpeg adds to the timestamps of captured frames. */
const originMs = 1_000;

let now: number;
let out: MediaUnit[];
let reader: UnitReader;
let stamper: CaptureStamper;
beforeEach(() => {
  now = startedAtMs;
  out = [];
  reader = new UnitReader();
  stamper = new CaptureStamper({ clock: { now: () => now }, onUnit: (unit) => out.push(unit) });
});

/** Reads one of ffmpeg's tags and hands it on. */
function push(tag: FlvTag): MediaUnit {
  const unit = reader.readUnit(tag) as MediaUnit;
  stamper.push(unit);
  return unit;
}

/** ffmpeg's line, and the metadata that follows it, for a frame this long after the start of its input. */
function mark(timestampMs: number) {
  now = startedAtMs + timestampMs;
  const seconds = timestampMs / 1000;
  stamper.mark(Buffer.from(`frame:0    pts:${timestampMs}  pts_time:${seconds}\ntallylight.captured=1\n`));
}

/** The capture stamp in a unit's bytes. */
function stampOf(unit: MediaUnit | undefined) {
  return unit?.type === 'video' ? unit.config.format.inspect(unit.data, unit.config).captured : undefined;
}

test('a keyframe is stamped with when it was captured and encoded; everything else is unchanged', () => {
  const tags = [
    videoHeader(undefined, originMs),
    audioHeader(undefined, originMs),
    videoFrame(originMs, { keyframe: true }),
    audioFrame(originMs),
    videoFrame(originMs + 40),
    videoFrame(originMs + 1_000, { keyframe: true, compositionTimeMs: 80 }),
  ];
  mark(0);
  now = startedAtMs + 55;
  const units = tags.slice(0, 5).map(push);
  mark(1_080);
  now = startedAtMs + 1_130;
  units.push(push(tags[5] as FlvTag));
  expect(stampOf(out[2])).toEqual({ capturedAtMs: startedAtMs, encodedAtMs: startedAtMs + 55 });
  expect(stampOf(out[5])).toEqual({ capturedAtMs: startedAtMs + 1_080, encodedAtMs: startedAtMs + 1_130 });
  for (const index of [2, 5]) {
    const expected = { ...units[index], data: expect.any(Buffer), captured: stampOf(out[index]) };
    expect(out[index]).toEqual(expected);
  }
  for (const index of [0, 1, 3, 4]) expect(out[index]).toEqual(units[index]);
});

test('units read before the first mark wait for it, and keep the time at which they came', () => {
  now = startedAtMs + 50;
  push(videoHeader());
  push(videoFrame(originMs, { keyframe: true }));
  expect(out).toEqual([]);
  mark(0);
  expect(out.map(stampOf)).toEqual([undefined, { capturedAtMs: startedAtMs, encodedAtMs: startedAtMs + 50 }]);
});

test('an ffmpeg without marks is waited for one GOP at most, and its units are unchanged', () => {
  const tags = [
    videoHeader(),
    videoFrame(originMs, { keyframe: true }),
    videoFrame(originMs + 40),
    videoFrame(originMs + 1_000, { keyframe: true }),
    videoFrame(originMs + 1_040),
  ];
  const units = tags.slice(0, 3).map(push);
  expect(out).toEqual([]);
  units.push(...tags.slice(3).map(push));
  expect(out).toEqual(units);
});

test('marks are read however their bytes are split, and other lines are ignored', () => {
  const text = 'frame:0    pts:NOPTS   pts_time:NOPTS\nframe:1    pts:512     pts_time:0.04\ntallylight.captured=1\n';
  now = startedAtMs + 40;
  for (const byte of Buffer.from(text)) stamper.mark(Buffer.from([byte]));
  push(videoHeader());
  push(videoFrame(originMs + 40, { keyframe: true }));
  expect(stampOf(out[1])).toEqual({ capturedAtMs: startedAtMs + 40, encodedAtMs: startedAtMs + 40 });
});
