import { expect, it } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { audio, kinds, pack, startedAtMs } from '../../../test/support/pack.ts';
import { renditionOptions } from '../../../test/support/packager-options.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { TrackMemory } from './kept-tracks.ts';
import { RenditionPackager } from './rendition-packager.ts';
import { SegmentPlan } from './segment-plan.ts';
import type { SegmentStore } from './segment-store.ts';

/** The tags, from `atMs` on moved by `byMs`. Sound of `soundLostMs` after that is lost. */
const moveFrom = (tags: readonly FlvTag[], atMs: number, byMs: number, soundLostMs = 0): FlvTag[] =>
  tags.flatMap((tag) => {
    if (tag.timestampMs < atMs) return [tag];
    const isLost = tag.kind === 'audio' && tag.timestampMs < atMs + soundLostMs;
    return isLost ? [] : [{ ...tag, timestampMs: tag.timestampMs + byMs }];
  });

/** The tracks that segments have. */
const kindsOf = (tags: readonly FlvTag[]) => [...new Set(kinds(pack(tags).segments))];

it.each([
  ['a pause of 10 s', 10_000],
  ['a clock that was set back', -50_000],
])('holds the picture until the next keyframe if there is %s in the middle of a long GOP', (_what, byMs) => {
  const tags = broadcast({ startMs: 100_000, durationMs: 40_000, fps: 30, gopFrames: 250 });
  expect(kindsOf(moveFrom(tags, 118_600, byMs))).toEqual(['video+audio']);
});

it('keeps the picture after a pause of both tracks if the sound is back before it, as from an encoder that looks ahead', () => {
  const sentAt = ({ kind, timestampMs }: FlvTag) => timestampMs + (kind === 'video' ? 300 : 0);
  const media = broadcast({ durationMs: 30_000, fps: 30, headers: false });
  const tags = moveFrom(media, 10_500, 4_900).sort((one, other) => sentAt(one) - sentAt(other));
  expect(kindsOf([videoHeader(), audioHeader(), ...tags])).toEqual(['video+audio']);
});

it('keeps the picture after a pause of both tracks if the sound is back after it', () => {
  const tags = broadcast({ durationMs: 30_000, fps: 30 });
  expect(kindsOf(moveFrom(tags, 10_500, 4_800, 2_000))).toEqual(['video+audio']);
});

it('keeps the sound of a rendition when the publisher that takes over sends sound alone', () => {
  const [source, rendition] = [createSegmentStore(), createSegmentStore()];
  const tracks: TrackMemory = {};
  const publishers = [broadcast({ durationMs: 6_000 }), broadcast({ durationMs: 12_000, video: false })];
  for (const [publisher, tags] of publishers.entries()) {
    const plan = new SegmentPlan(publisher);
    const follower = new RenditionPackager(renditionOptions({ sink: rendition, plan }));
    const onPlaced = follower.push.bind(follower);
    const packager = new TagPackager({ startedAtMs, sink: source, plan, tracks, onPlaced });
    for (const tag of tags) packager.push(tag);
    packager.end();
    follower.end();
  }
  const listTracks = ({ segments }: SegmentStore) =>
    segments.map(({ init, discontinuity }) => [kinds([{ init }]), discontinuity]);
  expect(listTracks(rendition)).toEqual(listTracks(source));
  expect(new Set(kinds(source.segments))).toEqual(new Set(['video+audio']));
});

it('has no sound that goes back in time when the size changes after a hole in the video, as when a phone is turned', () => {
  const upright = broadcast({ durationMs: 20_000, fps: 30 }).filter(
    ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 9_900 || timestampMs >= 10_800,
  );
  let pictures = 0;
  const tags = upright.flatMap((tag): FlvTag[] => {
    if (tag.kind === 'audio' || tag.timestampMs < 10_800) return [tag];
    const frame = videoFrame(tag.timestampMs, { keyframe: pictures % 60 === 0 });
    pictures += 1;
    return pictures === 1 ? [videoHeader('1920x1080 at 30', tag.timestampMs), frame] : [frame];
  });
  const { segments } = pack(tags, { sink: createSegmentStore() });
  const heard = segments.flatMap(audio).map(({ dts }) => dts);
  expect(Math.min(...heard.slice(1).map((dts, index) => dts - (heard[index] ?? 0)))).toBeGreaterThan(0);
});
