import { expect, onTestFinished, test, vi } from 'vitest';
import { createFakeRuns, createHeardRenditions } from '../../../test/support/fake-runs.ts';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { movePlaced } from '../../../test/support/move-placed.ts';
import { placeTags, smallProfiles } from '../../../test/support/transcode-stand.ts';
import { aacFormat } from '../media/aac-format.ts';
import { type PlacedUnit, trackOf } from '../media/media-unit.ts';
import type { AudioConfig } from '../media/track-config.ts';
import { defaultLadderBounds } from './ladder-bounds.ts';
import { LadderFeed, type LadderFeedOptions } from './ladder-feed.ts';

/** Two seconds at 5 fps, with a keyframe each second. */
const source = placeTags(broadcast({ durationMs: 2_000, fps: 5, gopFrames: 5 }));
const between = (fromMs: number, toMs: number) => source.filter(({ dts }) => dts >= fromMs && dts < toMs);
const videoOf = (units: readonly PlacedUnit[]) => units.filter((unit) => trackOf(unit) === 'video');

/** A feed of two renditions, without ffmpeg. */
function setUp(options: Partial<LadderFeedOptions> = {}) {
  const { runs, startRun } = createFakeRuns();
  const { renditions, heard } = createHeardRenditions(smallProfiles);
  const wanted = { renditions };
  const failures: boolean[] = [];
  const feed = new LadderFeed({
    renditions,
    ffmpegPath: () => '/nowhere/ffmpeg',
    canDecode: () => true,
    bounds: defaultLadderBounds,
    wanted: () => wanted.renditions,
    encoder: () => 'libx264',
    onStart: () => {},
    onFailed: (_current, _end, wasFed) => failures.push(wasFed),
    onOverflow: () => {},
    onUndecodable: (codec) => heard.push(`undecodable ${codec}`),
    startRun,
    ...options,
  });
  const push = (units: readonly PlacedUnit[]) => {
    for (const unit of units) feed.push(unit);
  };
  /** When each run starts, and whether it was ended. */
  const starts = () => runs.map(({ startMs, told }) => `${startMs}${told.length > 0 ? ' ended' : ''}`);
  return { feed, push, runs, starts, wanted, renditions, failures, hear: () => heard.splice(0) };
}

/** A feed of a service that can be closed, on simulated time; its ffmpeg has media to put out. */
function setUpClosing() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const closing = new AbortController();
  const { feed, push, runs } = setUp({ closing: closing.signal });
  push(between(0, 1_000));
  return { feed, runs, closing };
}

test('a keyframe starts an ffmpeg, which gets everything from there on', () => {
  const { push, runs, starts } = setUp();
  push(between(0, 2_000));
  expect(starts()).toEqual(['0']);
  expect(runs[0]?.options).toMatchObject({ timeline: 0, startMs: 0, encoder: 'libx264', encodedAudio: undefined });
  const [announced, first, ...rest] = runs[0]?.fed ?? [];
  expect([announced, first]).toEqual(['audio 0 4', 'video 0 109']);
  expect(rest.filter((line) => line.startsWith('video'))).toHaveLength(9);
});

test('without a keyframe only audio comes out, unchanged', () => {
  const { push, starts, hear } = setUp();
  push(placeTags([audioHeader(), audioFrame(0), videoHeader(), videoFrame(20)]));
  expect(starts()).toEqual([]);
  expect(hear()).toEqual(['90p audio 0 4', '72p audio 0 4', '90p audio 0 22', '72p audio 0 22']);
});

test('other video parameters replace the ffmpeg at the next keyframe, and frames before it are not fed', () => {
  const { push, runs, starts } = setUp();
  push(between(0, 600));
  const before = runs[0]?.fed.length;
  push(placeTags([videoHeader('1920x1080 at 30')]).map((unit) => movePlaced(unit, 600)));
  push(videoOf(between(600, 1_000)));
  expect([starts(), runs[0]?.fed.length]).toEqual([['0'], before]);
  push(between(1_000, 1_200));
  expect(starts()).toEqual(['0 ended', '1000']);
});

test('another set of renditions, and a run that is too old, replace the ffmpeg at the next keyframe', () => {
  const other = setUp();
  other.push(between(0, 600));
  other.wanted.renditions = other.renditions.slice(0, 1);
  expect(other.feed.makesWanted).toBe(false);
  other.push(between(600, 2_000));
  expect(other.starts()).toEqual(['0 ended', '1000']);
  expect(other.runs[1]?.options.outputs.map(({ profile }) => profile.name)).toEqual(['90p']);
  const aged = setUp({ bounds: { ...defaultLadderBounds, maxRunMs: 900 } });
  aged.push(between(0, 2_000));
  expect(aged.starts()).toEqual(['0 ended', '1000']);
});

test('each start takes the ffmpeg that there is by then', () => {
  let path = '/7.0/ffmpeg';
  const { push, runs, starts, wanted, renditions } = setUp({ ffmpegPath: () => path });
  push(between(0, 600));
  path = '/7.1/ffmpeg';
  wanted.renditions = renditions.slice(0, 1);
  push(between(600, 2_000));
  expect([starts(), runs.map(({ options }) => options.ffmpegPath)]).toEqual([
    ['0 ended', '1000'],
    ['/7.0/ffmpeg', '/7.1/ffmpeg'],
  ]);
});

test('another timeline ends the ffmpeg at once, and its first keyframe starts the next', () => {
  const { push, starts } = setUp();
  push(between(0, 600));
  push(between(0, 200).map((unit) => ({ ...unit, timeline: 1 })));
  expect(starts()).toEqual(['0 ended', '0']);
});

test('after a crash neither frames nor audio come out until a keyframe starts the next ffmpeg', () => {
  const { feed, push, runs, starts, failures, hear } = setUp();
  push(between(0, 600));
  runs[0]?.finish({ kind: 'failed', failure: { code: 'stuck' }, stderr: [] });
  feed.lose();
  hear();
  push(between(600, 1_000));
  expect([failures, feed.current, hear()]).toEqual([[true], undefined, []]);
  push(between(1_000, 2_000));
  expect(starts()).toEqual(['0', '1000']);
});

test('a failure while draining is distinguished from one of the run that is fed', () => {
  const { push, runs, failures } = setUp({ bounds: { ...defaultLadderBounds, maxRunMs: 900 } });
  push(between(0, 2_000));
  runs[0]?.finish({ kind: 'failed', failure: { code: 'stuck' }, stderr: [] });
  expect(failures).toEqual([false]);
});

test('audio that not every player takes is encoded, by a new ffmpeg', () => {
  const { push, runs, starts } = setUp();
  push(between(0, 600));
  const config = aacFormat.parseRecord(Buffer.from('118856e598', 'hex'));
  push([{ type: 'config', timeline: 0, timescale: 1000, dts: 600, config }]);
  const before = runs[0]?.fed.length;
  push(between(600, 1_000).filter(({ type }) => type === 'audio'));
  expect(runs[0]?.fed.length).toBe(before);
  push(between(1_000, 1_200));
  expect(starts()).toEqual(['0 ended', '1000']);
  expect(runs[1]?.options.encodedAudio).toBe(config);
});

test('encoded audio whose parameters change is fed no more until the next ffmpeg, unless it changes back', () => {
  const { push, runs, starts } = setUp();
  const stereo = aacFormat.parseRecord(Buffer.from('2b921000', 'hex'));
  const mono = aacFormat.parseRecord(Buffer.from('2b118800', 'hex'));
  const announce = (config: AudioConfig, dts: number) => push([{ type: 'config', timeline: 0, timescale: 1000, dts, config }]);
  const pushSound = (fromMs: number, toMs: number) => push(between(fromMs, toMs).filter(({ type }) => type === 'audio'));
  announce(mono, 0);
  push(videoOf(between(0, 600)));
  expect(runs[0]?.options.encodedAudio).toBe(mono);
  const before = runs[0]?.fed.length ?? 0;
  announce(stereo, 600);
  pushSound(600, 800);
  expect(runs[0]?.fed.slice(before)).toEqual([]);
  announce(mono, 800);
  pushSound(800, 830);
  expect(runs[0]?.fed.slice(before)).toEqual(['audio 810 22']);
  announce(stereo, 830);
  push(videoOf(between(1_000, 1_200)));
  expect(starts()).toEqual(['0 ended', '1000']);
  expect(runs[1]?.options.encodedAudio).toBe(stereo);
});

test('video that ffmpeg cannot decode ends the feed', () => {
  const { push, starts, hear } = setUp({ canDecode: ({ name }) => name !== 'H.264' });
  push(between(0, 0).concat(source.slice(0, 1)));
  expect([starts(), hear()]).toEqual([[], ['undecodable H.264']]);
});

test('a rendition ends at the next keyframe if its ffmpeg keeps up, and at once if it does not', () => {
  const quick = setUp();
  quick.push(between(0, 600));
  quick.runs[0]?.putOut(videoOf(between(0, 600)).at(-1)!);
  quick.hear();
  quick.wanted.renditions = quick.renditions.slice(1);
  quick.feed.leave(quick.renditions.slice(0, 1));
  expect(quick.hear()).toEqual([]);
  quick.push(between(600, 1_200));
  quick.runs[0]?.finish({ kind: 'drained' });
  expect(quick.hear()).toEqual(['72p start 0 1000', '90p end', '72p end', '90p leave']);
  const slow = setUp();
  slow.push(between(0, 1_600));
  slow.hear();
  slow.wanted.renditions = slow.renditions.slice(1);
  slow.feed.leave(slow.renditions.slice(0, 1));
  expect(slow.hear()).toEqual(['90p leave at once']);
});

test('when no rendition is wanted the ffmpeg ends at once, and renditions that were never made end too', () => {
  const { feed, push, starts, wanted, renditions, hear } = setUp();
  wanted.renditions = renditions.slice(1);
  feed.leave(renditions.slice(0, 1));
  expect(hear()).toEqual(['90p leave']);
  push(between(0, 600));
  wanted.renditions = [];
  feed.leave(renditions.slice(1));
  expect(starts()).toEqual(['0 ended']);
});

test('the time that a closing service has begins when it closes, though its source ends later', async () => {
  const { feed, runs, closing } = setUpClosing();
  closing.abort();
  await vi.advanceTimersByTimeAsync(1_500);
  const drained = feed.drain();
  await vi.advanceTimersByTimeAsync(499);
  expect(runs[0]?.told).not.toContain('kill');
  await vi.advanceTimersByTimeAsync(1);
  expect(runs[0]?.told).toContain('kill');
  await drained;
});

test('a closing service is not held up by an ffmpeg that hangs in its driver and outlives its kill', async () => {
  const { feed, runs, closing } = setUpClosing();
  const [run] = runs;
  // As long as ffmpeg is waited for once it is killed.
  if (run) run.kill = () => void setTimeout(() => run.finish({ kind: 'killed' }), 2_000);
  closing.abort();
  const drained = vi.fn();
  void feed.drain().then(drained);
  // Half a second before closing is given up.
  await vi.advanceTimersByTimeAsync(4_000);
  expect(drained).toHaveBeenCalled();
});
