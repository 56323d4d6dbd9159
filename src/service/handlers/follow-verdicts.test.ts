import { expect, test } from 'vitest';
import { LiveStage, oneSegment } from '../../../test/support/live-stage.ts';
import { openLiveViews } from '../../../test/support/live-views.ts';
import type { HealthFacts } from '../health/health-facts.ts';
import { createVerdictFollower } from './follow-verdicts.ts';
import type { ViewSources } from './stream-views.ts';

type RouteAir = ReturnType<ViewSources['routes']['air']>;

/** Follows a stage's stream. Returns what lets steps pass, of a second unless it says otherwise, each judged at its beginning. */
function followStream(stage: LiveStage, sources: Parameters<typeof openLiveViews>[1]) {
  const { stream, state } = stage;
  const { views, clock } = openLiveViews(stage, sources);
  const follow = createVerdictFollower(views, clock);
  return (steps: number, stepMs = 1_000) => {
    for (let step = 0; step < steps; step += 1) {
      follow(stream);
      state.now += stepMs;
    }
  };
}

/** Follows a stage's stream whose broadcast one click sends to another region, with the air state that the test decides. */
const followToRegion = (stage: LiveStage, air: () => RouteAir) =>
  followStream(stage, {
    routes: {
      view: () => ({ code: 'fra', isOwn: false, ingest: 'rtmp://fra/live', playback: 'http://fra/hls', offer: undefined }),
      air,
      moving: () => undefined,
      lost: () => undefined,
    },
    oneClicks: { state: () => ({ kind: 'idle' }), soundMeter: () => undefined },
  });

test("the stream's log records when trouble starts and ends, without reading the store", () => {
  const stage = new LiveStage();
  const { stream, state } = stage;
  let playback: HealthFacts['playback'] = [];
  const pass = followStream(stage, {
    playReports: { rest: () => {}, ignoreStalls: () => {}, of: () => [...playback] },
  });
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
  expect(stream.log.lines[0]).toMatchObject({ severity: 'bad', event: { code: 'trouble-passed', afterMs: 3_000 } });

  // It counts from the last media on, though that takes 3 s to notice.
  playback = [];
  stage.play(stream.admit(stage.createPublisher()), oneSegment);
  const lastMediaAt = state.now;
  pass(6);
  const [line] = stream.log.lines;
  expect(line?.event).toMatchObject({ code: 'trouble-began', verdict: { code: 'nothing-arrives' } });
  expect(line?.at).toBe(lastMediaAt);
});

test('the log of a broadcast to another region has its verdicts, too', () => {
  const stage = new LiveStage();
  const { stream, state } = stage;
  const since = state.now;
  const onAir = { kind: 'on-air', since, sessionId: 'fra-1' } as const;
  let air: RouteAir = onAir;
  const pass = followToRegion(stage, () => air);
  pass(1, 10_000);
  air = { ...onAir, silentSince: since + 4_000 };
  pass(1, 3_000);
  air = onAir;
  pass(8);
  const stopped = { code: 'region-stopped', severity: 'bad', region: 'fra' };
  expect(stream.log.lines.map(({ at, event }) => [at - since, event])).toMatchObject([
    [13_000, { code: 'trouble-ended', verdict: stopped, afterMs: 9_000 }],
    [4_000, { code: 'trouble-began', verdict: stopped }],
  ]);
});

test('a trouble that is over before its broadcast is on air has ended', () => {
  const stage = new LiveStage();
  const { stream, state } = stage;
  const since = state.now;
  const connecting = { kind: 'connecting', since } as const;
  let air: RouteAir = { ...connecting, awaiting: 'playlist' };
  const pass = followToRegion(stage, () => air);
  pass(4);
  air = connecting;
  pass(6);
  const verdict = { code: 'region-unseen', severity: 'warn', region: 'fra' };
  expect(stream.log.lines.map(({ at, severity, event }) => [at - since, severity, event])).toEqual([
    [4_000, 'good', { code: 'trouble-ended', verdict, afterMs: 4_000 }],
    [0, 'warn', { code: 'trouble-began', verdict }],
  ]);
});
