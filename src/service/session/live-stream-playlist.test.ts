import { beforeEach, expect, test } from 'vitest';
import { startEchoLadder } from '../../../test/support/echo-ladder.ts';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { eightSeconds, LiveStage, oneSegment } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';

let stage: LiveStage;
beforeEach(() => {
  stage = new LiveStage();
});

test('the next broadcast has its own session, and media sequence numbers continue', () => {
  const first = stage.stream.admit(stage.createPublisher());
  stage.play(first);
  first.end({ kind: 'unpublished' });
  stage.state.now += 5_000;
  const second = stage.stream.admit(stage.createPublisher());
  stage.play(second, oneSegment);
  expect(stage.stream.air).toMatchObject({ kind: 'on-air', sessionId: 'session-2' });
  expect(stage.playlist().slice(-2)).toEqual(['#EXT-X-DISCONTINUITY', '4.m4s']);
  expect(stage.playlist()).not.toContain('#EXT-X-ENDLIST');
});

test('after the live window an ended broadcast is off air and its segments are gone', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'unpublished' });
  stage.state.now += 60_001;
  stage.stream.tick();
  expect(stage.stream.playback()).toEqual({ kind: 'off-air' });
});

test('an encoder that connects but sends nothing does not keep an ended broadcast for longer', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'unpublished' });
  stage.state.now += 50_000;
  stage.stream.admit(stage.createPublisher()).end({ kind: 'lost', cause: { code: 'closed' } });
  const kinds = [10_000, 1].map((passedMs) => {
    stage.state.now += passedMs;
    stage.stream.tick();
    return stage.stream.playback().kind;
  });
  expect(kinds).toEqual(['playable', 'off-air']);
});

test('an ended broadcast whose playlist is longer than the live window stays until all of it has been played', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  // Six segments of 15 s stay in a playlist.
  stage.play(sink, broadcast({ durationMs: 120_000, fps: 5, gopFrames: 75, audioToMs: 0 }));
  sink.end({ kind: 'unpublished' });
  const kinds = [90_000, 1].map((passedMs) => {
    stage.state.now += passedMs;
    stage.stream.tick();
    return stage.stream.playback().kind;
  });
  expect(kinds).toEqual(['playable', 'off-air']);
});

test.each([
  { wait: 'right after', waitMs: 0 },
  { wait: 'when nothing of it plays any more', waitMs: 60_001 },
])('a live window that is changed counts from the next broadcast on, in each rendition: $wait', async ({ waitMs }) => {
  let windowSeconds = 60;
  stage = new LiveStage({
    liveWindowSeconds: () => windowSeconds,
    profiles: () => recommendedProfiles.slice(0, 1),
    startLadder: startEchoLadder,
  });
  /** Goes on air for 100 s, in which the window is changed; then waits. Returns how long each playlist is. */
  const play = async (laterSeconds: number, startMs: number) => {
    const sink = stage.stream.admit(stage.createPublisher());
    const tags = broadcast({ startMs, durationMs: 100_000, fps: 5, audioToMs: 0 });
    const half = tags.length / 2;
    stage.play(sink, tags.slice(0, half));
    windowSeconds = laterSeconds;
    stage.play(sink, tags.slice(half));
    await new Promise(setImmediate);
    const playback = stage.stream.playback();
    const renditions = playback.kind === 'playable' ? playback.renditions : [];
    sink.end({ kind: 'unpublished' });
    return renditions.map(({ store }) => store.segments.length * 2);
  };
  expect(await play(80, 0)).toEqual([60, 60]);
  stage.state.now += waitMs;
  stage.stream.tick();
  expect(await play(60, 200_000)).toEqual([80, 80]);
  // An ended broadcast plays for its own window.
  stage.state.now += 80_000;
  stage.stream.tick();
  expect(stage.stream.playback().kind).toBe('playable');
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.playback().kind).toBe('off-air');
});

test('program date-times keep to the wall clock even if the publisher is slower than real time', () => {
  const sink = stage.stream.admit(stage.createPublisher());
  const startMs = stage.state.now;
  for (const tag of eightSeconds) {
    stage.state.now = startMs + tag.timestampMs * 2;
    pushTag(sink, tag);
  }
  sink.end({ kind: 'unpublished' });
  const playback = stage.stream.playback();
  const segments = playback.kind === 'playable' ? (playback.renditions[0]?.store.segments ?? []) : [];
  // They came at 0, 4, 8 and 12 s.
  expect(segments.map(({ programDateTimeMs }) => Math.round((programDateTimeMs - startMs) / 100) / 10)).toEqual([
    0, 3.9, 7.9, 11.9,
  ]);
});

test('after a restart of the service numbers continue beyond those that were stored', () => {
  stage = new LiveStage({ next: { nextMediaSequence: 40, nextDiscontinuitySequence: 2, isNew: false } });
  stage.play(stage.stream.admit(stage.createPublisher()), oneSegment);
  expect(stage.playlist()).toEqual([
    '#EXT-X-MEDIA-SEQUENCE:65576',
    '#EXT-X-DISCONTINUITY-SEQUENCE:4098',
    '#EXT-X-DISCONTINUITY',
    '65576.m4s',
  ]);
});

test('after a restored backup, no segment has the URL of one that was made after the backup', () => {
  const next = { nextMediaSequence: 40, nextDiscontinuitySequence: 2, isNew: false };
  const play = (now: number) => {
    stage = new LiveStage({ next, clock: { now: () => now, monotonicMs: () => stage.state.now } });
    stage.play(stage.stream.admit(stage.createPublisher()));
    return stage.playlist().filter((line) => line.endsWith('.m4s'));
  };
  const tonight = Date.UTC(2026, 10, 29, 20);
  expect(play(tonight)).toEqual(['115027200.m4s', '115027201.m4s', '115027202.m4s']);
  expect(play(tonight + 8_000)).toEqual(['115027232.m4s', '115027233.m4s', '115027234.m4s']);
});
