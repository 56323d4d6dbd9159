import { expect, test } from 'vitest';
import { LiveStage } from '../../../test/support/live-stage.ts';

const hourMs = 3_600_000;

test.each([-hourMs, hourMs])('a wall clock that is set by %i ms prolongs no window, and cuts none short', (setMs) => {
  const stage = new LiveStage();
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'lost', sentence: 'The connection was reset.' });
  stage.state.setMs = setMs;
  stage.state.now += 59_999;
  stage.stream.tick();
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', until: stage.state.now + setMs + 1 });
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', endedAt: stage.state.now + setMs });
  // What has ended plays for one live window, of 60 s here.
  stage.state.setMs = -setMs;
  stage.state.now += 60_000;
  stage.stream.tick();
  expect(stage.stream.playback().kind).toBe('playable');
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.playback().kind).toBe('off-air');
});

test.each([-hourMs, hourMs])('ages are told right when the wall clock is set by %i ms', (setMs) => {
  const stage = new LiveStage();
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const before = stage.stream.air;
  stage.state.setMs = setMs;
  const now = stage.state.now + setMs;
  expect(stage.stream.lastMediaAt).toBe(now);
  expect(stage.stream.meters()).toMatchObject({ measuredAt: now, fps: expect.closeTo(10, 1) });
  expect(stage.stream.air).toEqual({ ...before, since: expect.closeTo((before as { since: number }).since + setMs) });
  stage.state.lastSeen = 0;
  stage.stream.tick();
  expect(stage.state.lastSeen).toBe(now);
});
