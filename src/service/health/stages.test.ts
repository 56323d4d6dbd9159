import { expect, test } from 'vitest';
import { healthy, lostFor, now, onAir, oneClickRunning } from '../../../test/support/health-facts.ts';
import type { AirState, RenditionView } from '../../shared/model/live.ts';
import { type Profile, recommendedProfiles } from '../../shared/model/profile.ts';
import type { HealthFacts } from './health-facts.ts';
import { reportStages } from './stages.ts';
import { drawVerdict } from './verdict.ts';

test('a healthy broadcast from another encoder has the measured stages and one verdict', () => {
  expect(reportStages(healthy)).toEqual([
    { stage: 'ingest', code: 'receiving', severity: 'good' },
    { stage: 'package', code: 'packaging', severity: 'good', segmentSeconds: 2 },
  ]);
  expect(drawVerdict(healthy)).toEqual({ code: 'good', severity: 'good' });
});

test('the ingest receives badly while two encoders take turns, frames are missing, or media comes slowly, too fast or with pauses', () => {
  const ingestOf = (change: Partial<HealthFacts>) =>
    reportStages({ ...healthy, ...change }).find(({ stage }) => stage === 'ingest');
  const badly = { stage: 'ingest', code: 'receiving-badly', severity: 'warn' };
  const fewFrames = { measuredAt: now, fps: 28 };
  expect(ingestOf({ takeTurns: true })).toEqual({ ...badly, severity: 'bad', trouble: 'encoders-take-turns' });
  expect(ingestOf({ meters: fewFrames })).toEqual({ ...badly, trouble: 'frames-missing' });
  const lossesBefore = { measuredAt: now, fps: 30, droppedFrames: { count: 72, ratio: 0.04, isRepeated: true } } as const;
  expect(ingestOf({ meters: lossesBefore })).toEqual({ ...badly, trouble: 'frames-missing', lostRatio: 0.04 });
  expect(ingestOf({ pace: 0.88 })).toEqual({ ...badly, trouble: 'arrives-slowly' });
  expect(ingestOf({ pace: 1.1, meters: { measuredAt: now, fps: 33 } })).toEqual({ ...badly, trouble: 'arrives-fast' });
  expect(ingestOf({ pauses: { count: 3, seconds: 6 } })).toEqual({ ...badly, trouble: 'arrives-with-pauses' });
  const farKeyframes = { measuredAt: now, fps: 30, keyframeIntervalSeconds: 10 };
  expect(ingestOf({ meters: farKeyframes })).toEqual({ ...badly, trouble: 'keyframes-far' });
  const rareProfile = { measuredAt: now, fps: 30, hasRareProfile: true } as const;
  expect(ingestOf({ meters: rareProfile })).toEqual({ ...badly, severity: 'bad', trouble: 'profile-rare' });
  const silent = { measuredAt: now, fps: 30, away: 'sound' } as const;
  expect(ingestOf({ meters: silent })).toEqual({ ...badly, severity: 'bad', trouble: 'no-sound' });
  const frozen = { count: 3, seconds: 20 };
  expect(ingestOf({ meters: fewFrames, pauses: frozen })).toEqual({
    ...badly,
    severity: 'bad',
    trouble: 'arrives-with-pauses',
  });
  const slow = { ...oneClickRunning, encodeFps: 28, encodeSpeed: 0.9 };
  expect(ingestOf({ meters: fewFrames, oneClick: slow })).toEqual({ stage: 'ingest', code: 'receiving', severity: 'good' });
});

test('while no media arrives, the stages after the ingest have nothing to say', () => {
  const made: HealthFacts = { ...healthy, renditions: recommendedProfiles.map((asked) => ({ asked, state: 'running' })) };
  const lost: AirState = {
    kind: 'reconnecting',
    sessionId: 'a',
    since: now - 60_000,
    lostAt: now - 4_000,
    until: now + 56_000,
  };
  const stagesOf = (air: AirState) => reportStages({ ...made, air }).map(({ code }) => code);
  expect(stagesOf({ ...onAir, silentSince: now - 4_000 })).toEqual(['sends-nothing']);
  expect(stagesOf(lost)).toEqual(['no-encoder']);
  expect(stagesOf({ ...lost, back: 'connected' })).toEqual(['sends-nothing']);
  expect(stagesOf({ ...lost, back: 'sending' })).toEqual(['receiving', 'keeping-up', 'packaging']);
  const unplayable = 'unusable';
  expect(stagesOf({ ...onAir, silentSince: now - 9_000, unplayable })).toEqual(['receiving-badly']);
  expect(stagesOf({ ...lost, back: 'sending', unplayable })).toEqual(['receiving-badly']);
});

test('a one-click broadcast shows its capture, its encoder and its upload too', () => {
  expect(reportStages({ ...healthy, oneClick: oneClickRunning }).slice(0, 3)).toEqual([
    { stage: 'capture', code: 'capturing', severity: 'good' },
    { stage: 'encode', code: 'encoding', severity: 'good', fps: 30, speed: 1 },
    { stage: 'upload', code: 'sending', severity: 'good', queueMs: 12, droppedFrames: 0 },
  ]);
});

test('an upload is as bad as its queue, and has a warning for frames that viewers have missed', () => {
  const uploadOf = (queueMs: number, droppedFrames: number) =>
    reportStages({ ...healthy, oneClick: { ...oneClickRunning, queueMs, droppedFrames } }).find(
      ({ stage }) => stage === 'upload',
    )?.severity;
  expect([uploadOf(199, 18), uploadOf(12, 19), uploadOf(200, 0), uploadOf(699, 30), uploadOf(700, 30)]).toEqual([
    'good',
    'warn',
    'warn',
    'warn',
    'bad',
  ]);
});

test('an upload that carries only a coarse picture has a warning, with the bitrate while nothing waits', () => {
  const uploadWith = (queueMs: number, videoBitrateBps: number) =>
    reportStages({ ...healthy, oneClick: { ...oneClickRunning, queueMs, videoBitrateBps } }).filter(
      ({ stage }) => stage === 'upload',
    );
  const upload = { stage: 'upload', code: 'sending', droppedFrames: 0 };
  expect([uploadWith(12, 375_000), uploadWith(700, 375_000), uploadWith(12, 1_500_000)]).toEqual([
    [{ ...upload, severity: 'warn', queueMs: 12, coarseBps: 375_000 }],
    [{ ...upload, severity: 'bad', queueMs: 700 }],
    [{ ...upload, severity: 'good', queueMs: 12 }],
  ]);
});

test('renditions are a stage of their own, which reports missing ones', () => {
  const [first, second] = recommendedProfiles as [Profile, Profile];
  const running: HealthFacts = {
    ...healthy,
    renditions: [
      { asked: first, state: 'running' },
      { asked: second, state: 'running' },
    ],
  };
  expect(reportStages(running)[1]).toEqual({ stage: 'transcode', code: 'keeping-up', severity: 'good', renditions: 2 });
  const [one, other] = running.renditions as [RenditionView, RenditionView];
  const waiting = { ...other, state: 'waiting' } as const;
  const oneRuns = reportStages({ ...running, renditions: [one, waiting] })[1];
  expect(oneRuns).toEqual({ stage: 'transcode', code: 'keeping-up', severity: 'good', renditions: 1 });
  const noneRuns = reportStages({ ...running, renditions: [waiting, waiting] })[1];
  expect(noneRuns).toEqual({ stage: 'transcode', code: 'starting', severity: 'good', renditions: 2 });
  expect(drawVerdict(running)?.severity).toBe('good');
  const shed: HealthFacts = {
    ...running,
    renditions: [{ asked: first, state: 'shed' }, running.renditions[1] as RenditionView],
  };
  expect(reportStages(shed)[1]).toEqual({ stage: 'transcode', code: 'some-left-out', severity: 'warn', missing: 1, of: 2 });
  expect(drawVerdict(shed)).toEqual({
    code: 'renditions-shed',
    severity: 'warn',
    names: ['720p'],
    remedy: 'fewer-renditions',
  });
  const all = (state: RenditionView['state']) => ({ ...shed, renditions: shed.renditions.map((each) => ({ ...each, state })) });
  for (const state of ['shed', 'resting', 'given-up'] as const) {
    const [, transcode] = reportStages(all(state));
    expect(transcode).toEqual({ stage: 'transcode', code: 'some-left-out', severity: 'bad', missing: 2, of: 2 });
  }
  const both = all('shed');
  expect(drawVerdict(both)).toEqual({ code: 'renditions-shed', severity: 'warn', names: ['720p', '480p'] });
});

test('a rendition that its owner has left out is not missing', () => {
  const [first, second] = recommendedProfiles as [Profile, Profile];
  const states = (one: RenditionView['state'], other: RenditionView['state']) =>
    reportStages({
      ...healthy,
      renditions: [
        { asked: first, state: one },
        { asked: second, state: other },
      ] as RenditionView[],
    })[1];
  expect([states('left-out', 'left-out'), states('left-out', 'waiting'), states('left-out', 'running')]).toEqual([
    { stage: 'transcode', code: 'left-out-by-owner', severity: 'good' },
    { stage: 'transcode', code: 'starting', severity: 'good', renditions: 1 },
    { stage: 'transcode', code: 'keeping-up', severity: 'good', renditions: 1 },
  ]);
});

test('old media, and media from before the publisher connected, count as nothing yet', () => {
  const waiting = (sinceMs: number): HealthFacts => ({
    ...healthy,
    air: { kind: 'connecting', since: sinceMs },
    lastMediaAt: now - 20_000,
  });
  expect([
    reportStages(waiting(now - 500)),
    reportStages(waiting(now - 4_000)),
    reportStages({ ...waiting(now - 500), lastMediaAt: now - 20 }),
    reportStages({ ...waiting(now - 9_000), lastMediaAt: now - 3_001 }),
    reportStages({ ...waiting(now - 4_000), oneClick: { ...oneClickRunning, kind: 'starting' } }),
  ]).toEqual([
    [{ stage: 'ingest', code: 'waiting', severity: 'good' }],
    [{ stage: 'ingest', code: 'nothing-yet', severity: 'bad', forMs: 4_000 }],
    [{ stage: 'ingest', code: 'receiving', severity: 'good' }],
    [{ stage: 'ingest', code: 'nothing-yet', severity: 'bad', forMs: 3_001 }],
    [],
  ]);
});

test('segments are too long from keyframes on that are too far apart', () => {
  const packaging = (typicalSegmentSeconds: number) =>
    reportStages({ ...healthy, typicalSegmentSeconds }).find(({ stage }) => stage === 'package');
  expect([4.004, 6].map(packaging)).toEqual([
    { stage: 'package', code: 'packaging', severity: 'good', segmentSeconds: 4.004 },
    { stage: 'package', code: 'packaging', severity: 'warn', segmentSeconds: 6 },
  ]);
});

test('nothing is judged while off air', () => {
  const offAir: HealthFacts = { ...healthy, air: { kind: 'off-air' } };
  expect(reportStages(offAir)).toEqual([]);
  expect(drawVerdict(offAir)).toBeUndefined();
});

test('when the encoder is lost, the ingest stage agrees with the verdict and has no timer', () => {
  const { queueMs: _, ...retrying } = {
    ...oneClickRunning,
    kind: 'retrying',
    attempt: 9,
    retryAt: now,
    failure: { code: 'closed', during: 'sending' },
  } as const;
  const judge = (change: Partial<HealthFacts>) => {
    const facts = { ...healthy, ...change };
    const stage = reportStages(facts).find((each) => each.stage === 'ingest' || each.stage === 'upload');
    return [drawVerdict(facts)?.code, stage?.code];
  };
  expect([
    judge({ air: { ...lostFor, until: now + 55_000 } }),
    judge({ air: { ...lostFor, back: 'sending' } }),
    judge({ air: { ...onAir, silentSince: now - 6_000 } }),
    judge({ air: { ...lostFor, until: now + 55_000 }, oneClick: { ...oneClickRunning, kind: 'stopping' } }),
    judge({ air: { kind: 'off-air' }, oneClick: retrying }),
  ]).toEqual([
    ['encoder-gone', 'no-encoder'],
    ['encoder-back', 'receiving'],
    ['nothing-arrives', 'sends-nothing'],
    [undefined, undefined],
    ['ingest-retry', 'not-connected'],
  ]);
});
