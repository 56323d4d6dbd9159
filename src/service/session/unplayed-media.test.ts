import { describe, expect, test } from 'vitest';
import { broadcast, withoutKeyframes } from '../../../test/support/flv-builder.ts';
import { eightSeconds, LiveStage } from '../../../test/support/live-stage.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnplayedMedia } from './unplayed-media.ts';

describe('a publisher on air', () => {
  const onTheWay = { durationMs: 20_000, video: true };
  const malformed = (tags: readonly FlvTag[]) =>
    tags.map((tag) => (tag.kind === 'video' ? { ...tag, body: tag.body.subarray(0, 7) } : tag));

  /** A stream that is on air, with what another encoder sends after it took over. */
  function takeOver(tags: readonly FlvTag[], before: readonly FlvTag[] = eightSeconds) {
    const stage = new LiveStage();
    stage.play(stage.stream.admit(stage.createPublisher()), before);
    const other = stage.stream.admit(stage.createPublisher());
    const sinceMs = stage.state.now;
    stage.play(other, tags);
    return { stage, other, sinceMs };
  }

  const withoutSound = broadcast({ ...onTheWay, audioToMs: 0 });

  test.each([
    ['media without parameters', broadcast({ ...onTheWay, headers: false }), 'unusable', eightSeconds],
    ['video without a keyframe', withoutKeyframes(withoutSound), 'no-keyframe', withoutSound],
    ['neither sound nor a keyframe', withoutKeyframes(withoutSound), 'no-keyframe', eightSeconds],
    ['malformed video', malformed(withoutSound), 'unusable', eightSeconds],
  ])('that takes over and sends %s is not on air as if all were well, until it plays', (_what, tags, unplayable, before) => {
    const { stage, other, sinceMs } = takeOver(tags, before);
    expect(stage.stream.air).toMatchObject({ kind: 'on-air', silentSince: sinceMs, unplayable });
    stage.play(other, broadcast({ startMs: 20_000, durationMs: 3_000 }));
    const { kind, silentSince } = stage.stream.air as { kind: string; silentSince?: number };
    expect([kind, silentSince]).toEqual(['on-air', undefined]);
  });

  test('that takes over and sends sound, but no keyframe, leaves viewers the last picture, in the same tracks', () => {
    const { stage } = takeOver(withoutKeyframes(broadcast({ durationMs: 20_000 })), broadcast({ durationMs: 10_000 }));
    const { meters, air } = stage.stream.facts();
    expect(meters).toMatchObject({ away: 'picture', isWithoutKeyframe: true, videoCodec: 'avc1.4d401f' });
    expect(air).not.toHaveProperty('unplayable');
    expect(stage.playlist().filter((line) => line === '#EXT-X-DISCONTINUITY').length).toBe(1);
  });

  test('that sent nothing that plays before it was lost counts from then on', () => {
    const { stage, other, sinceMs } = takeOver(broadcast({ ...onTheWay, headers: false }));
    const silence = { silentSince: sinceMs };
    expect(stage.stream.air).toMatchObject(silence);
    stage.state.now += 3_001;
    expect(stage.stream.air).toMatchObject(silence);
    other.end({ kind: 'lost', cause: { code: 'no-media', forMs: 10_000, isUnusable: true } });
    expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', lostAt: sinceMs });
  });

  test('that was lost is back, but sends nothing that plays', () => {
    const stage = new LiveStage();
    const sink = stage.stream.admit(stage.createPublisher());
    stage.play(sink, withoutSound);
    sink.end({ kind: 'lost', cause: { code: 'closed' } });
    const back = stage.stream.admit(stage.createPublisher());
    const tags = withoutKeyframes(withoutSound);
    stage.play(back, tags.slice(0, 100));
    expect(stage.stream.air).not.toHaveProperty('unplayable');
    stage.play(back, tags.slice(100));
    expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', back: 'sending', unplayable: 'no-keyframe' });
  });

  test.each([
    ['a keyframe every 15 s', broadcast({ durationMs: 40_000, gopFrames: 375 })],
    ['sound alone', broadcast({ durationMs: 40_000, video: false })],
    ['a picture every second', broadcast({ durationMs: 40_000, fps: 1, gopFrames: 2, audioToMs: 0 })],
  ])('that sends %s plays all along', (_what, tags) => {
    const { stage, other } = takeOver(tags.slice(0, 1));
    for (const tag of tags.slice(1)) {
      stage.play(other, [tag]);
      stage.state.now += 5;
      expect(stage.stream.air).not.toHaveProperty('unplayable');
    }
  });
});

test('media from before a pause is not counted', () => {
  const media = new UnplayedMedia();
  media.arrive(0);
  media.arrive(9_000);
  expect(media.sinceMs).toBeUndefined();
  for (let now = 9_000; now < 17_000; now += 1_000) media.arrive(now);
  expect(media.sinceMs).toBeUndefined();
  media.arrive(17_000);
  expect(media.sinceMs).toBe(9_000);
  // Once it is known that nothing plays, a pause doesn't change that.
  media.arrive(20_000);
  expect(media.sinceMs).toBe(9_000);
  media.play();
  expect(media.sinceMs).toBeUndefined();
});
