import { expect, test } from 'vitest';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { LiveStage } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';

const restless = { code: 'restless' } as const;

/** Plays a second of media, which changes its format this often within it. */
function changeFormat(stage: LiveStage, sink: Parameters<LiveStage['play']>[0], times: number): void {
  const everyMs = Math.floor(1_000 / (times + 1));
  for (let change = 0; change <= times; change += 1) {
    const startMs = change * everyMs;
    pushTag(sink, videoHeader(change % 2 === 0 ? '1280x720' : '1920x1080 at 30', startMs));
    pushTag(sink, videoFrame(startMs, { keyframe: true }));
    stage.state.now += everyMs;
  }
}

test('a publisher whose format changes more than a dozen times in 10 s is disconnected, and the stream waits for it', () => {
  const stage = new LiveStage();
  const publisher = stage.createPublisher();
  changeFormat(stage, stage.stream.admit(publisher), 11);
  expect([publisher.closedWith, stage.stream.isRestless]).toEqual([[], false]);
  const again = stage.createPublisher();
  changeFormat(stage, stage.stream.admit(again), 5);
  expect([again.closedWith, stage.stream.isRestless]).toEqual([[restless], true]);
  stage.state.now += 10_000;
  expect(stage.stream.isRestless).toBe(false);
});

test('a publisher whose timestamps keep jumping is disconnected, too', () => {
  const stage = new LiveStage();
  const publisher = stage.createPublisher();
  const sink = stage.stream.admit(publisher);
  const piece = broadcast({ durationMs: 200, gopFrames: 5 });
  for (let jump = 0; jump < 20; jump += 1) {
    const startMs = jump % 2 === 0 ? 0 : 3_600_000;
    stage.play(
      sink,
      piece.map((tag) => ({ ...tag, timestampMs: tag.timestampMs + startMs })),
    );
  }
  expect(publisher.closedWith).toEqual([restless]);
});

test('encoders that come back every second may do so for ever', () => {
  const stage = new LiveStage();
  for (let second = 0; second < 60; second += 1) {
    const sink = stage.stream.admit(stage.createPublisher());
    stage.play(sink, broadcast({ durationMs: 1_000 }));
    sink.end({ kind: 'lost', cause: { code: 'closed' } });
    expect(stage.stream.isRestless).toBe(false);
  }
});

test('a publisher whose timestamps nearly stand still is disconnected once a second of its media has 32 MiB', () => {
  const stage = new LiveStage();
  const publisher = stage.createPublisher();
  const sink = stage.stream.admit(publisher);
  pushTag(sink, videoHeader());
  const isOver = () => publisher.closedWith.length > 0;
  let frames = 0;
  for (; !isOver() && frames < 100; frames += 1) pushTag(sink, videoFrame(frames, { keyframe: true, sizeBytes: 1024 * 1024 }));
  expect([frames, publisher.closedWith]).toEqual([32, [{ code: 'too-many-bytes', maxBytes: 32 * 1024 * 1024 }]]);
});

test('a publisher with 200 Mbit/s stays', () => {
  const stage = new LiveStage();
  const publisher = stage.createPublisher();
  const sink = stage.stream.admit(publisher);
  pushTag(sink, videoHeader());
  for (let frame = 0; frame < 100; frame += 1) {
    stage.state.now += 40;
    pushTag(sink, videoFrame(frame * 40, { keyframe: frame % 25 === 0, sizeBytes: 1_000_000 }));
  }
  expect(publisher.closedWith).toEqual([]);
});

test('audio that was ahead and has stopped says nothing about the bitrate of video', () => {
  const stage = new LiveStage();
  const publisher = stage.createPublisher();
  const sink = stage.stream.admit(publisher);
  for (const tag of [videoHeader(), audioHeader(), audioFrame(4_000)]) pushTag(sink, tag);
  for (let frame = 0; frame < 100; frame += 1) {
    stage.state.now += 40;
    pushTag(sink, videoFrame(frame * 40, { keyframe: frame % 25 === 0, sizeBytes: 1_000_000 }));
  }
  expect(publisher.closedWith).toEqual([]);
});
