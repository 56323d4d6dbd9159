import { expect, test } from 'vitest';
import { LiveStage, oneSegment } from '../../../test/support/live-stage.ts';
import type { HealthFacts } from '../health/health-facts.ts';
import { SleepWatch } from '../lib/sleep-watch.ts';
import { createVerdictFollower } from './follow-verdicts.ts';
import { StreamViews, type ViewSources } from './stream-views.ts';

/** Views of one stream, without a store: they run once a second for each stream on air, so they must not read it. */
function openViews(sources: Partial<ViewSources>): StreamViews {
  return new StreamViews({
    routes: { view: () => undefined, air: () => undefined, moving: () => undefined, lost: () => undefined },
    silences: { holds: () => false },
    streams: undefined as unknown as ViewSources['streams'],
    oneClicks: { state: () => ({ kind: 'idle' }) } as unknown as ViewSources['oneClicks'],
    choices: { find: () => undefined, save: () => {} },
    playReports: { rest: () => {}, ignoreStalls: () => {}, of: () => [] } as unknown as ViewSources['playReports'],
    ...sources,
  } as ViewSources);
}

test("the stream's log records when trouble starts and ends, without reading the store", () => {
  const stage = new LiveStage();
  const { stream, state } = stage;
  const clock = { now: () => state.now, monotonicMs: () => state.now };
  let playback: HealthFacts['playback'] = [];
  const views = openViews({
    clock,
    sleepWatch: new SleepWatch(clock),
    registry: { findLive: () => stream, areTakingTurns: () => false } as unknown as ViewSources['registry'],
    playReports: { rest: () => {}, ignoreStalls: () => {}, of: () => playback } as unknown as ViewSources['playReports'],
  });
  const follow = createVerdictFollower(views, clock);
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      follow(stream);
      state.now += 1_000;
    }
  };
  pass(3);
  expect(stream.log.lines).toEqual([]);
  stage.play(stream.admit(stage.createPublisher()), oneSegment);
  const failed = { state: 'failed', stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 0 } as const;
  playback = [{ pageId: 'a page', report: failed, recent: failed, isStarted: true, isSettled: true }];
  pass(3);
  expect(stream.log.lines[0]?.event).toMatchObject({
    code: 'trouble-began',
    verdict: { code: 'play-failed', monitor: 'any-page' },
  });
  stream.end({ reason: 'stopped' });
  pass(1);
  expect(stream.log.lines[0]?.event).toMatchObject({ code: 'trouble-ended', afterMs: 3_000 });

  // From the last media on, though it takes 3 s to notice.
  playback = [];
  stage.play(stream.admit(stage.createPublisher()), oneSegment);
  const lastMediaAt = state.now;
  pass(6);
  const [line] = stream.log.lines;
  expect(line?.event).toMatchObject({ code: 'trouble-began', verdict: { code: 'nothing-arrives' } });
  expect(line?.at).toBe(lastMediaAt);
});

test('so does that of a broadcast to another region', () => {
  const { stream, state } = new LiveStage();
  const clock = { now: () => state.now, monotonicMs: () => state.now };
  const since = state.now;
  const onAir = { kind: 'on-air', since, sessionId: 'fra-1' } as const;
  let air: ReturnType<ViewSources['routes']['air']> = onAir;
  const views = openViews({
    clock,
    sleepWatch: new SleepWatch(clock),
    registry: { findLive: () => stream, areTakingTurns: () => false } as unknown as ViewSources['registry'],
    routes: {
      view: () => ({ code: 'fra', isOwn: false, ingest: 'rtmp://fra/live', playback: 'http://fra/hls', offer: undefined }),
      air: () => air,
      moving: () => undefined,
      lost: () => undefined,
    },
    oneClicks: {
      state: () => ({ kind: 'idle' }),
      soundMeter: () => undefined,
    } as unknown as ViewSources['oneClicks'],
  });
  const follow = createVerdictFollower(views, clock);
  follow(stream);
  state.now += 10_000;
  air = { ...onAir, silentSince: since + 4_000 };
  follow(stream);
  state.now += 3_000;
  air = onAir;
  for (let second = 0; second < 8; second += 1) {
    follow(stream);
    state.now += 1_000;
  }
  const stopped = { code: 'region-stopped', severity: 'bad', region: 'fra' };
  expect(stream.log.lines.map(({ at, event }) => [at - since, event])).toMatchObject([
    [13_000, { code: 'trouble-ended', verdict: stopped, afterMs: 9_000 }],
    [4_000, { code: 'trouble-began', verdict: stopped }],
  ]);
});
