import { expect, test } from 'vitest';
import { createFakeRuns, createHeardRenditions } from '../../../test/support/fake-runs.ts';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { placeTags, smallProfiles } from '../../../test/support/transcode-stand.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import { type PlacedUnit, trackOf, type VideoUnit } from '../media/media-unit.ts';
import { Ladder } from './ladder.ts';
import { defaultLadderBounds, type LadderBounds } from './ladder-bounds.ts';
import type { RunEnd } from './transcode-run.ts';

/** Thirty seconds of video at 5 fps, with a keyframe each second. */
const source = placeTags(broadcast({ durationMs: 30_000, fps: 5, gopFrames: 5 })).filter((unit) => trackOf(unit) === 'video');
const frameAt = (shownMs: number) =>
  source.find((unit): unit is PlacedUnit & VideoUnit => unit.type === 'video' && unit.pts >= shownMs)!;
const failed: RunEnd = { kind: 'failed', failure: { code: 'exited', exitCode: 1 }, stderr: ['No.'] };

/** A ladder of `90p` and `72p` without ffmpeg, on a computer that does not report how busy it is. */
function setUp(encoder: EncoderName = 'libx264', bounds: Partial<LadderBounds> = {}, run: { hasStarted?: boolean } = {}) {
  const { runs, startRun } = createFakeRuns(run);
  const { renditions, heard } = createHeardRenditions(smallProfiles);
  const events: LadderEvent[] = [];
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const ladder = new Ladder(
    {
      renditions,
      encoder,
      clock,
      ffmpegPath: () => '/nowhere/ffmpeg',
      canDecode: () => true,
      bounds: { ...defaultLadderBounds, ...bounds },
      processors: { readCores: () => [], readCpuSeconds: () => undefined },
      onEvent: (event) => events.push(event),
    },
    startRun,
  );
  let fedMs = 0;
  /** Feeds up to this time of the media, which is also the clock's, second by second. */
  const feedTo = (untilMs: number, putsOut: (ms: number) => PlacedUnit | undefined = frameAt) => {
    for (; fedMs < untilMs; fedMs += 1_000) {
      for (const unit of source) if (unit.dts >= fedMs && unit.dts < fedMs + 1_000) ladder.push(unit);
      const out = putsOut(fedMs + 800);
      if (out) runs.at(-1)?.putOut(out);
      clock.nowMs = fedMs + 1_000;
      ladder.tick();
    }
  };
  return {
    ladder,
    runs,
    renditions,
    feedTo,
    clock,
    events: () => events.splice(0),
    states: () => renditions.map((rendition) => ladder.stateOf(rendition)),
    hear: () => heard.splice(0),
  };
}

test('renditions wait for their first frame, and then run', () => {
  const { feedTo, states, events } = setUp();
  expect(states()).toEqual(['waiting', 'waiting']);
  feedTo(1_000, () => undefined);
  expect(states()).toEqual(['waiting', 'waiting']);
  feedTo(3_000);
  expect(states()).toEqual(['running', 'running']);
  expect(events()).toEqual([{ code: 'started', severity: 'good', names: ['90p', '72p'] }]);
});

test('an ffmpeg that could not be started was never encoding: only its failure is reported', () => {
  const { runs, feedTo, events } = setUp('libx264', {}, { hasStarted: false });
  feedTo(1_000, () => undefined);
  const failure = { code: 'not-started', shortage: 'processes' } as const;
  runs[0]?.finish({ kind: 'failed', failure, stderr: ['spawn ffmpeg EAGAIN'] });
  expect(events()).toEqual([{ code: 'crashed', severity: 'warn', names: ['90p', '72p'], failure, restart: {} }]);
});

test('hardware is not to blame for an ffmpeg that could not be started: the next one encodes on it again', () => {
  const { runs, feedTo, events } = setUp('h264_nvenc', {}, { hasStarted: false });
  const failure = { code: 'not-started', shortage: 'own-files' } as const;
  for (const second of [1, 2, 3]) {
    feedTo(second * 1_000, () => undefined);
    runs.at(-1)?.finish({ kind: 'failed', failure, stderr: ['spawn ffmpeg EMFILE'] });
  }
  expect(events()).toEqual(Array(3).fill({ code: 'crashed', severity: 'warn', names: ['90p', '72p'], failure, restart: {} }));
  expect(runs.map(({ options }) => options.encoder)).toEqual(['h264_nvenc', 'h264_nvenc', 'h264_nvenc']);
});

test('hardware is not to blame for an ffmpeg that got a process, but no threads', () => {
  const { runs, feedTo, events } = setUp('h264_nvenc');
  const failure = { code: 'not-started', shortage: 'processes' } as const;
  feedTo(1_000, () => undefined);
  runs[0]?.finish({ kind: 'failed', failure, stderr: [] });
  const names = ['90p', '72p'];
  expect(events()).toEqual([
    { code: 'started', severity: 'good', names },
    { code: 'crashed', severity: 'warn', names, failure, restart: {} },
  ]);
});

test('a crash is reported with what follows: the same encoder, x264 instead of hardware, or a rest', () => {
  const { runs, feedTo, events, states, hear } = setUp('h264_nvenc');
  for (const second of [1, 2, 3, 4, 5]) {
    feedTo(second * 1_000);
    runs.at(-1)?.finish(failed);
  }
  const restarts = events().flatMap((event) => (event.code === 'crashed' ? [event.restart] : []));
  expect(restarts).toEqual([{}, { encoder: 'libx264' }, {}, {}]);
  expect(runs.map(({ options }) => options.encoder)).toEqual(['h264_nvenc', 'h264_nvenc', 'libx264', 'libx264', 'libx264']);
  expect(states()).toEqual(['resting', 'resting']);
  expect(hear().slice(-2)).toEqual(['90p leave', '72p leave']);
  feedTo(7_000);
  expect(runs).toHaveLength(5);
});

test('hardware that fails while the ffmpeg before it still drains is tried once more: that may have its last session', () => {
  const { ladder, renditions, runs, feedTo, events } = setUp('h264_nvenc');
  feedTo(2_000);
  ladder.leaveOut(renditions.slice(0, 1));
  for (const second of [3, 4]) {
    feedTo(second * 1_000, () => undefined);
    runs.at(-1)?.finish(failed);
  }
  feedTo(5_000);
  const restarts = events().flatMap((event) => (event.code === 'crashed' ? [event.restart] : []));
  expect(restarts).toEqual([{}, { encoder: 'libx264' }]);
  expect(runs.map(({ options }) => options.encoder)).toEqual(['h264_nvenc', 'h264_nvenc', 'h264_nvenc', 'libx264']);
  expect(runs[0]?.told).toEqual([defaultLadderBounds.drainMs]);
});

test('after a rest the renditions are made again, and rest longer if they fail as before', () => {
  const { ladder, renditions, runs, feedTo, events, states, hear } = setUp('libx264', { restMs: 4_000 });
  for (const second of [1, 2, 3, 4, 5]) {
    feedTo(second * 1_000);
    runs.at(-1)?.finish(failed);
  }
  const rested = { code: 'rested', severity: 'bad', names: ['90p', '72p'], last: { code: 'exited', exitCode: 1 } };
  expect(events().at(-1)).toEqual({ ...rested, count: 5, waitMs: 4_000 });
  // Their owner's choice counts when they are back.
  ladder.leaveOut(renditions.slice(0, 1));
  expect(states()).toEqual(['left-out', 'resting']);
  feedTo(9_000);
  expect([states(), runs.length]).toEqual([['left-out', 'waiting'], 5]);
  feedTo(10_000, () => undefined);
  expect([states(), runs.length]).toEqual([['left-out', 'waiting'], 6]);
  expect(events()).toEqual([
    { code: 'left-out', severity: 'good', names: ['90p'] },
    { code: 'started', severity: 'good', names: ['72p'] },
  ]);
  hear();
  runs.at(-1)?.finish(failed);
  expect(events()).toEqual([{ ...rested, names: ['72p'], count: 6, waitMs: 8_000 }]);
  expect([states(), hear()]).toEqual([
    ['left-out', 'resting'],
    ['72p end not whole', '72p leave'],
  ]);
  feedTo(20_000);
  expect(states()).toEqual(['left-out', 'running']);
});

test('an ffmpeg that holds what it was fed for ten seconds is killed, and counts as crashed', () => {
  const { ladder, runs, feedTo, clock, events, states } = setUp();
  feedTo(2_000, () => frameAt(400));
  expect(events().map(({ code }) => code)).toEqual(['started']);
  for (; clock.nowMs < 11_000; clock.nowMs += 1_000) ladder.tick();
  expect([events(), runs[0]?.told]).toEqual([[], []]);
  ladder.tick();
  expect([events(), runs[0]?.told]).toEqual([
    [{ code: 'crashed', severity: 'warn', names: ['90p', '72p'], failure: { code: 'stuck' }, restart: {} }],
    ['kill'],
  ]);
  expect(states()).toEqual(['waiting', 'waiting']);
});

test('hardware that hangs while media comes is replaced by x264 at the second time, and no rendition is shed', () => {
  const { runs, feedTo, events } = setUp('h264_nvenc');
  // Each one on hardware puts out its first frame, and then nothing.
  feedTo(20_000, () => (runs.at(-1)?.options.encoder === 'libx264' ? frameAt(19_800) : frameAt(runs.at(-1)!.startMs)));
  const stuck = { code: 'crashed', severity: 'warn', names: ['90p', '72p'], failure: { code: 'stuck' } };
  const started = { code: 'started', severity: 'good', names: ['90p', '72p'] };
  const fallsBack = { ...stuck, restart: { encoder: 'libx264' } };
  expect(events()).toEqual([started, { ...stuck, restart: {} }, started, fallsBack, started]);
  expect(runs.map(({ told }) => told)).toEqual([['kill'], ['kill'], []]);
});

test('an ffmpeg that falls behind for five seconds sheds the costliest rendition, which returns after its pause', () => {
  const { feedTo, events, states, hear } = setUp();
  feedTo(1_000);
  events();
  hear();
  // It puts out half of what comes.
  feedTo(8_000, (ms) => frameAt(ms / 2));
  expect(events()).toEqual([{ code: 'shed', severity: 'warn', names: ['90p'] }]);
  expect([states()[0], hear().at(-1)]).toEqual(['shed', '90p leave at once']);
  feedTo(22_000);
  expect([states(), events()]).toEqual([['shed', 'running'], [{ code: 'started', severity: 'good', names: ['72p'] }]]);
  feedTo(25_000);
  expect(states()).toEqual(['running', 'running']);
  expect(events()).toEqual([
    { code: 'returned', severity: 'good', names: ['90p'] },
    { code: 'started', severity: 'good', names: ['90p', '72p'] },
  ]);
});

test('a rendition that its owner leaves out ends, and starts again when it is taken back', () => {
  const { ladder, renditions, feedTo, events, states, runs } = setUp();
  feedTo(1_000);
  ladder.leaveOut(renditions.slice(0, 1));
  feedTo(3_000);
  expect(states()).toEqual(['left-out', 'running']);
  ladder.leaveOut([]);
  feedTo(5_000);
  expect(states()).toEqual(['running', 'running']);
  expect(events().map(({ code, names }) => `${code} ${names}`)).toEqual([
    'started 90p,72p',
    'left-out 90p',
    'started 72p',
    'taken-back 90p',
    'started 90p,72p',
  ]);
  expect(runs).toHaveLength(3);
});

test('frames that ffmpeg does not take are counted and reported', () => {
  const { runs, feedTo, events } = setUp();
  feedTo(1_000);
  runs[0]?.options.onOverflow(7);
  expect(events().at(-1)).toEqual({ code: 'overflow', severity: 'warn', names: ['90p', '72p'], frames: 7 });
});
