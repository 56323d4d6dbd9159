import { expect, test } from 'vitest';
import { audioFrame, audioHeader, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { SoundHold } from './sound-hold.ts';

function setUp() {
  const sent: string[] = [];
  const reader = new UnitReader();
  const hold = new SoundHold((unit) => sent.push(unit.type === 'config' ? unit.config.track : `${unit.type} ${unit.dts}`));
  const push = (...tags: ReturnType<typeof videoFrame>[]) => {
    for (const tag of tags) {
      const unit = reader.readUnit(tag);
      if (unit) hold.push(unit);
    }
    return sent.splice(0);
  };
  return { push };
}

test('audio waits for the video of its time, and video never waits', () => {
  const { push } = setUp();
  // Video is announced first, whichever encoder starts first.
  expect(push(audioHeader(), audioFrame(0), videoHeader(), audioFrame(20))).toEqual(['video', 'audio']);
  expect(push(videoFrame(0, { keyframe: true }))).toEqual(['audio 0', 'video 0']);
  expect(push(videoFrame(40))).toEqual(['audio 20', 'video 40']);
  expect(push(audioFrame(40), audioFrame(60), videoFrame(80))).toEqual(['audio 40', 'audio 60', 'video 80']);
});

test('a configuration that changes later is passed on at once, and only that', () => {
  const { push } = setUp();
  expect(push(audioHeader(), videoHeader())).toEqual(['video', 'audio']);
  expect(push(audioHeader('44.1 kHz'))).toEqual(['audio']);
  expect(push(videoHeader('1920x1080 at 30'))).toEqual(['video']);
});

test('audio continues without video after 8 s, before an ingest gives up, but not before there was any', () => {
  const { push } = setUp();
  push(videoHeader(), audioHeader());
  expect(push(audioFrame(0), audioFrame(9_000))).toEqual([]);
  expect(push(videoFrame(9_000, { keyframe: true }))).toEqual(['audio 0', 'audio 9000', 'video 9000']);
  expect(push(audioFrame(9_020), audioFrame(11_000), audioFrame(17_000))).toEqual([]);
  expect(push(audioFrame(17_020), audioFrame(19_500))).toEqual(['audio 9020', 'audio 11000']);
  expect(push(videoFrame(19_000, { keyframe: true }))).toEqual(['audio 17000', 'audio 17020', 'video 19000']);
});
