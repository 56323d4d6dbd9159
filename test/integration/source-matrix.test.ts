import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseVideoTag } from '../../src/service/flv/video-tag.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { type FetchedRendition, type FetchedRun, type FetchedSegment, fetchRendition } from '../support/fetch-rendition.ts';
import { probeFrames } from '../support/ffmpeg.ts';
import { followPlaylist } from '../support/follow-playlist.ts';
import { type MatrixSource, matrixSources } from '../support/matrix-sources.ts';
import { publishTags } from '../support/publish-tags.ts';
import { findBrokenRules, type ReadPlaylist, readPlaylist } from '../support/read-playlist.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const aMinuteMs = 60_000;
/** FLV timestamps are whole milliseconds; the times of the source are multiples of its frame duration. */
const roundingMs = 2;

let stage: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  stage = await startTestService();
});
afterAll(() => stage.close());

/** Broadcasts a source from its first tag to its last, and returns what viewers of all its renditions see. */
async function broadcastSource({ tags, fps = 0, speed = 2, pictures }: MatrixSource) {
  const profiles = [
    { name: '180p', bitrate: 200_000, fps, width: 320, height: 180 },
    { name: '128p', bitrate: 100_000, fps, width: 228, height: 128 },
  ];
  const source = await tags();
  const { body } = await stage.api('POST', '/stream', { name: 'Matrix', profiles });
  const base = `${stage.urls.playbackBaseUrl}/${body.playbackId}`;
  const urls = ['source', '180p', '128p'].map((name) => `${base}/${name}/index.m3u8`);
  const watch = async () => stage.app.stream.watch({ streamId: body.id });
  const published = publishTags({ port: stage.urls.rtmpPort, streamKey: body.streamKey }, source, { speed });
  const isOver = ({ stream, renditions }: StreamLive) => !stream.isActive && renditions.every(({ name }) => name === undefined);
  await waitUntil(
    await watch(),
    ({ stream, session, renditions }) =>
      // After its end, those that can't be played yet aren't listed.
      (renditions.length === profiles.length && renditions.every(({ name }) => name !== undefined)) ||
      // A very short source is transcoded only after its end.
      (!stream.isActive && session !== undefined && session.transcodedSegments >= session.sourceSegments * profiles.length),
  );
  const seen = await Promise.all(urls.map(followPlaylist));
  await published;
  await waitUntil(await watch(), isOver);
  const [session] = (await stage.api('GET', `/stream/${body.id}/sessions`)).body;
  const [original, ...renditions] = await Promise.all(urls.map((url) => fetchRendition(url)));
  return {
    sentFrames: pictures ?? source.filter(({ kind, body }) => kind === 'video' && parseVideoTag(body).kind === 'frame').length,
    seen: seen.map((texts) => texts.map(readPlaylist)),
    counters: session as Record<string, number>,
    original: original as FetchedRendition,
    renditions,
  };
}

/** The number and time of each segment, for one comparison. */
const places = ({ playlist }: FetchedRendition) => ({
  mediaSequence: playlist.mediaSequence,
  discontinuitySequence: playlist.discontinuitySequence,
  segments: playlist.segments.map(({ msn, gap, discontinuity, programDateTime }) => ({
    msn,
    gap,
    discontinuity,
    programDateTime,
  })),
});

const seconds = (segments: readonly { seconds: number }[]) => segments.map((segment) => segment.seconds);
/** The audio of each segment: its frames, identified by their bytes. */
const soundOf = (segments: readonly FetchedSegment[]) =>
  segments.map(({ audio }) =>
    createHash('sha256')
      .update(Buffer.concat(audio.map(({ data }) => data)))
      .digest('hex'),
  );
/** When each audio frame is played, in milliseconds. */
const heardMs = (segments: readonly FetchedSegment[]) => segments.flatMap(({ audio }) => audio.map(({ dts }) => dts / 48));
const shownMs = (segments: readonly FetchedSegment[]) =>
  segments
    .flatMap(({ video }) => video.map(({ dts, compositionOffset }) => (dts + compositionOffset) / 90))
    .sort((one, other) => one - other);

/** When the first picture of each segment is shown, in milliseconds. */
const startsMs = (segments: readonly FetchedSegment[]) =>
  segments.flatMap(({ video: [first] }) => (first ? [(first.dts + first.compositionOffset) / 90] : []));

function expectNear(actual: readonly number[], expected: readonly number[], within: number) {
  expect(actual).toHaveLength(expected.length);
  const far = actual.flatMap((value, index) => {
    const other = expected[index] ?? Number.NaN;
    return Math.abs(value - other) <= within ? [] : [{ index, value, other }];
  });
  expect(far.slice(0, 20)).toEqual([]);
}

/** Checks the playlists served while on air: the rules of parts, and which parts are independent. */
function expectRulesKept(
  playlists: readonly ReadPlaylist[],
  { runs }: FetchedRendition,
  { frameMs, fps, partTarget }: MatrixSource,
) {
  expect([...new Set(playlists.flatMap(findBrokenRules))]).toEqual([]);
  if (!fps) expect(playlists.at(-1)?.partTarget).toBe(partTarget);
  for (const { seconds: length, parts } of playlists.flatMap((playlist) => playlist.segments)) {
    const inParts = parts.reduce((sum, part) => sum + part.seconds, 0);
    if (parts.length > 0) expect(Math.abs(inParts - length)).toBeLessThanOrEqual(frameMs / 1000 + 0.0001);
  }
  const segments = runs.flatMap((run) => run.segments);
  const made = new Map<string, boolean>(
    segments.flatMap(({ msn, independentParts }) =>
      independentParts.map((independent, index) => [`${msn}-${index}.m4s`, independent] as const),
    ),
  );
  const told = playlists.flatMap((playlist) => [...playlist.segments.flatMap(({ parts }) => parts), ...playlist.open]);
  expect(told.filter(({ uri, independent }) => independent !== made.get(uri))).toEqual([]);
}

/** Checks the media: the same audio, and the same pictures at the same times, or as many as `fps` asks for. */
async function expectSameMedia(run: FetchedRun, from: FetchedRun, fps: number) {
  expect(soundOf(run.segments)).toEqual(soundOf(from.segments));
  expectNear(heardMs(run.segments), heardMs(from.segments), 1);
  expectNear(startsMs(run.segments), startsMs(from.segments), roundingMs);
  const pictures = shownMs(run.segments);
  const asked = seconds(run.segments).reduce((sum, length) => sum + length, 0) * fps;
  if (fps === 0) expectNear(pictures, shownMs(from.segments), roundingMs);
  else expect(Math.abs(pictures.length - asked)).toBeLessThanOrEqual(2);
  // A GOP that is too long for a segment is divided in the source too.
  expect(run.segments.map(({ independentParts }) => independentParts[0])).toEqual(
    from.segments.map(({ video: [first] }) => first?.sync ?? true),
  );
  const frames = await probeFrames('-', run.bytes);
  expect(frames.stderr).toBe('');
  expect(frames.video).toHaveLength(pictures.length);
}

describe.concurrent('every rendition has the same segments as its source, to the frame:', () => {
  test.each(Object.entries(matrixSources))(
    '%s',
    async (_name, source) => {
      const { frameMs, segments, fps = 0 } = source;
      const { sentFrames, seen, counters, original, renditions } = await broadcastSource(source);

      const count = segments.flat().length;
      expect(counters).toMatchObject({ sourceSegments: count, transcodedSegments: count * renditions.length });
      const { sourceSegmentsDuration = 0, transcodedSegmentsDuration = 0 } = counters;
      const apartSeconds = Math.abs(transcodedSegmentsDuration - renditions.length * sourceSegmentsDuration);
      expect(apartSeconds).toBeLessThanOrEqual((renditions.length * frameMs) / 1000);

      expect(original.playlist.segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(segments.length - 1);
      expectNear(seconds(original.playlist.segments), segments.flat(), frameMs / 1000);
      expect(original.runs.flatMap((run) => shownMs(run.segments))).toHaveLength(sentFrames);
      for (const { segments: whole, bytes } of original.runs)
        expect((await probeFrames('-', bytes)).video).toHaveLength(shownMs(whole).length);

      for (const rendition of renditions) {
        expect(places(rendition)).toEqual(places(original));
        expectNear(seconds(rendition.playlist.segments), seconds(original.playlist.segments), frameMs / 1000);
        expect(rendition.runs).toHaveLength(original.runs.length);
        for (const [index, run] of rendition.runs.entries())
          await expectSameMedia(run, original.runs[index] as FetchedRun, fps);
      }
      for (const [index, fetched] of [original, ...renditions].entries()) expectRulesKept(seen[index] ?? [], fetched, source);
    },
    3 * aMinuteMs,
  );
});
