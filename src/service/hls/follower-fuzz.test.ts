import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { audioFrame, audioHeader, avcRecords, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { movePlaced } from '../../../test/support/move-placed.ts';
import { startedAtMs } from '../../../test/support/pack.ts';
import { renditionOptions } from '../../../test/support/packager-options.ts';
import { findBrokenRules } from '../../../test/support/playlist-rules.ts';
import { readPlaylist } from '../../../test/support/read-playlist.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { h264Format } from '../media/h264-format.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import { formatMediaPlaylist } from './playlist/media-playlist.ts';
import { RenditionPackager } from './rendition-packager.ts';
import { SegmentPlan } from './segment-plan.ts';

/** One frame of a publisher that keeps no rule, and how an encoder changes it. */
const step = fc.record({
  kind: fc.constantFrom('video', 'audio'),
  /** The distance from the frame before: backwards, together, or with a hole. */
  afterMs: fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 0, max: 300 }) }, fc.integer({ min: -3_000, max: 9_000 })),
  keyframe: fc.boolean(),
  idr: fc.boolean(),
  compositionTimeMs: fc.oneof({ weight: 10, arbitrary: fc.constant(0) }, fc.integer({ min: -200, max: 4_000 })),
  /** New parameters come before it: the publisher's, or only its encoder's. */
  header: fc.oneof(
    { weight: 30, arbitrary: fc.constant('none' as const) },
    fc.constantFrom('source' as const, 'encoder' as const),
  ),
  /** How far the encoder moves it, and whether it loses it. */
  movedMs: fc.oneof({ weight: 10, arbitrary: fc.constant(0) }, fc.integer({ min: -2_500, max: 2_500 })),
  lost: fc.oneof({ weight: 10, arbitrary: fc.constant(false) }, fc.boolean()),
  /** The event that then happens to the rendition. */
  event: fc.oneof(
    { weight: 60, arbitrary: fc.constant('none' as const) },
    fc.constantFrom('break' as const, 'leave' as const, 'crash' as const, 'await' as const, 'drained' as const),
  ),
  /** How many tags the encoder is behind from here on. */
  behind: fc.integer({ min: 0, max: 60 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A frame from a publisher and an encoder that do nothing unusual. */
const plainStep: Step = {
  kind: 'video',
  afterMs: 40,
  keyframe: false,
  idr: false,
  compositionTimeMs: 0,
  header: 'none',
  movedMs: 0,
  lost: false,
  event: 'none',
  behind: 0,
};
/** A part that ends 2 ms after its last frame, by rounding, and an independent frame there. */
const pictureAtPartEnd: Step[] = [
  { ...plainStep, keyframe: true },
  { ...plainStep, afterMs: 1 },
  { ...plainStep, afterMs: 19 },
  { ...plainStep, afterMs: 128 },
  { ...plainStep, afterMs: 2, keyframe: true, idr: true },
];

/** A segment of the rendition that breaks and ends before its source's has a place. */
const brokenBeforePlaced: Step[] = [
  { ...plainStep, afterMs: 0, keyframe: true },
  { ...plainStep, afterMs: 0, header: 'encoder' },
  { ...plainStep, afterMs: 100 },
  { ...plainStep, afterMs: 0, keyframe: true },
  { ...plainStep, afterMs: 0, keyframe: true, idr: true },
];

/** The media playlists of source and rendition after every step, and at the end. */
function play(steps: readonly Step[], isHostile: boolean) {
  const plan = new SegmentPlan();
  const source = createSegmentStore();
  const rendition = createSegmentStore();
  const encoded: { unit: PlacedUnit; step: Step | undefined }[] = [];
  let current: Step | undefined;
  let awaited = 0;
  const packager = new TagPackager({
    startedAtMs,
    sink: source,
    plan,
    onPlaced: (unit) => {
      if (current?.event === 'await') {
        awaited += 1;
        follower.awaitEncoder({ timeline: unit.timeline, startMs: unit.dts });
      }
      encoded.push({ unit, step: current });
    },
  });
  const follower = new RenditionPackager(renditionOptions({ sink: rendition, plan }));
  const follow = ({ unit, step: of }: (typeof encoded)[number]) => {
    if (of?.event === 'break') follower.breakOff();
    if (of?.event === 'leave') {
      follower.leave();
      rendition.leave();
    }
    if ((of?.event === 'crash' || of?.event === 'drained') && awaited > 0) {
      awaited -= 1;
      follower.encoderEnded(of.event === 'drained');
    }
    if (of?.header === 'encoder') {
      const { timeline, timescale, dts } = unit;
      follower.push({ type: 'config', timeline, timescale, dts, config: nextConfig() });
    }
    if (unit.type !== 'config' && of?.lost) return;
    follower.push(movePlaced(unit, isHostile ? (of?.movedMs ?? 0) : 0));
  };
  let headers = 0;
  const nextRecord = () => (headers++ % 2 === 0 ? '1920x1080 at 30' : '1280x720');
  const nextConfig = () => h264Format.parseRecord(Buffer.from(avcRecords[nextRecord()], 'hex'));
  const playlists = { source: [] as string[], rendition: [] as string[] };
  const keep = () => {
    if (source.segments.length > 0) playlists.source.push(formatMediaPlaylist(source));
    if (rendition.segments.length > 0) playlists.rendition.push(formatMediaPlaylist(rendition));
  };
  packager.push(videoHeader());
  packager.push(audioHeader());
  let timeMs = 10_000;
  for (const one of steps) {
    timeMs = Math.max(timeMs + one.afterMs, 0);
    current = one;
    const { keyframe, idr, compositionTimeMs } = one;
    const tag: FlvTag =
      one.kind === 'audio' ? audioFrame(timeMs) : videoFrame(timeMs, { keyframe, idr: keyframe && idr, compositionTimeMs });
    if (one.header === 'source') packager.push(videoHeader(nextRecord(), timeMs));
    packager.push(tag);
    while (encoded.length > one.behind) follow(encoded.shift() as (typeof encoded)[number]);
    keep();
  }
  packager.end();
  for (const left of encoded) follow(left);
  follower.end();
  keep();
  return { source, rendition, playlists };
}

/** Rules of the standard that the playlists break (rfc8216bis §4.4.4.1, §4.4.4.9, §6.2.1, §6.2.2). */
function findFaults({ source, rendition, playlists }: ReturnType<typeof play>): string[] {
  // With senseless composition times it is unclear where a segment ends: its parts may be longer.
  const rules = [playlists.source, playlists.rendition].flatMap(findBrokenRules);
  const faults = rules.filter((sentence) => !/^Parts? /.test(sentence));
  const promised = (texts: readonly string[]) => texts.at(-1)?.match(/^#EXT-X-(TARGETDURATION|PART-INF).*$/gm);
  if (playlists.rendition.length > 0) expect(promised(playlists.rendition)).toEqual(promised(playlists.source));
  for (const text of [...playlists.source, ...playlists.rendition]) {
    if (/NaN|Infinity|undefined/.test(text)) faults.push('A value is no number.');
    const { segments, open } = readPlaylist(text);
    for (const { msn, seconds } of segments) {
      if (!(seconds > 0)) faults.push(`Segment ${msn} lasts ${seconds} s.`);
    }
    for (const { uri, seconds } of [...segments.flatMap(({ parts }) => parts), ...open]) {
      if (!(seconds > 0)) faults.push(`Part ${uri} lasts ${seconds} s.`);
    }
  }
  const numbers = rendition.segments.map(({ msn }) => msn);
  if (numbers.some((msn, index) => index > 0 && msn !== (numbers[index - 1] ?? 0) + 1))
    faults.push(`Numbers: ${numbers.join()}.`);
  const planned = new Map(source.segments.map((segment) => [segment.msn, segment]));
  for (const { msn, discontinuitySequence, durationSeconds } of rendition.segments) {
    const own = planned.get(msn);
    if (own === undefined) continue;
    if (own.discontinuitySequence !== discontinuitySequence) faults.push(`Segment ${msn} has another discontinuity sequence.`);
    if (Math.abs(own.durationSeconds - durationSeconds) > 0.15) {
      faults.push(`Segment ${msn} lasts ${durationSeconds} s, the source's ${own.durationSeconds} s.`);
    }
  }
  return faults;
}

test.each([
  ['keeps to the times that it was fed', false],
  ['keeps to no times', true],
])(
  "whatever a source sends and an encoder that %s makes of it, the rendition's playlist keeps to the standard",
  (_name, isHostile) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 250 }), (steps) => {
        expect(findFaults(play(steps, isHostile))).toEqual([]);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 150), examples: [[pictureAtPartEnd], [brokenBeforePlaced]] },
    );
  },
);
