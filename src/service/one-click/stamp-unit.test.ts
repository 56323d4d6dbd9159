import { expect, test } from 'vitest';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import { stampUnit } from './stamp-unit.ts';

const startedAtMs = Date.UTC(2030, 0, 1);
/** The milliseconds that ffmpeg adds to the timestamps of an encode. */
const originMs = 1_000;
/** Frame n of the feed was captured n · 40 ms after the start, and 7 ms late; only the newest are known. */
const feed = {
  format: { fps: 25 },
  capturedAt: (frame: number) => (frame < 50 ? undefined : startedAtMs + frame * 40 + 7),
};

function stamp(tags: FlvTag[], firstFrame: number, now: number): { unit: MediaUnit; stamped: MediaUnit }[] {
  const reader = new UnitReader();
  return tags.map((tag) => {
    const unit = reader.readUnit(tag) as MediaUnit;
    return { unit, stamped: stampUnit(unit, firstFrame, feed, { now: () => now }) };
  });
}

/** The capture stamp in a unit's bytes. */
function stampOf(unit: MediaUnit | undefined) {
  return unit?.type === 'video' ? unit.config.format.inspect(unit.data, unit.config)?.captured : undefined;
}

test("a keyframe is stamped with when its frame of the feed was captured; everything is on the feed's time", () => {
  const now = startedAtMs + 6_100;
  const tags = [
    videoHeader(undefined, originMs),
    audioHeader(undefined, originMs),
    videoFrame(originMs, { keyframe: true }),
    audioFrame(originMs),
    videoFrame(originMs + 40),
    videoFrame(originMs + 1_000, { keyframe: true, compositionTimeMs: 80 }),
  ];
  // The encode began 5 s after its feed.
  const results = stamp(tags, 125, now);
  expect(results.map(({ unit, stamped }) => stamped.dts - unit.dts)).toEqual(Array(6).fill(5_000));
  expect(stampOf(results[2]?.stamped)).toEqual({ capturedAtMs: startedAtMs + 5_007, encodedAtMs: now });
  // Captured when it is shown, not when it is decoded.
  expect(stampOf(results[5]?.stamped)).toEqual({ capturedAtMs: startedAtMs + 6_087, encodedAtMs: now });
  for (const { unit, stamped } of results.filter((_, index) => index === 2 || index === 5)) {
    if (unit.type !== 'video' || stamped.type !== 'video') throw new Error('It is a video frame.');
    const moved = { dts: unit.dts + 5_000, pts: unit.pts + 5_000 };
    expect(stamped).toEqual({ ...unit, ...moved, data: expect.any(Buffer), captured: stampOf(stamped) });
  }
  expect(stampOf(results[4]?.stamped)).toBeUndefined();
});

test('a keyframe whose capture is not known any more has no stamp', () => {
  const [, keyframe] = stamp([videoHeader(undefined, originMs), videoFrame(originMs, { keyframe: true })], 25, startedAtMs);
  expect(stampOf(keyframe?.stamped)).toBeUndefined();
});

test('no frame was encoded before it was captured, even if the clock was set back in between', () => {
  const now = startedAtMs - 3_600_000;
  const [, keyframe] = stamp([videoHeader(undefined, originMs), videoFrame(originMs, { keyframe: true })], 125, now);
  expect(stampOf(keyframe?.stamped)).toEqual({ capturedAtMs: now, encodedAtMs: now });
});
