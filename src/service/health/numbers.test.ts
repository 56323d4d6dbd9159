import { expect, test } from 'vitest';
import { healthy, now, oneClickRunning } from '../../../test/support/health-facts.ts';
import { findCoarseBitrate } from '../../shared/coarse-picture.ts';
import type { Meters } from '../../shared/model/live.ts';
import { weighNumbers } from '../../shared/weigh-numbers.ts';
import type { HealthFacts } from './health-facts.ts';
import type { WatchedPlayback } from './play-reports.ts';
import { describeSent } from './sent-meters.ts';
import { reportStages } from './stages.ts';
import { drawVerdict } from './verdict.ts';

/** One click that sends to another computer, where nothing is measured. */
const sending = (change: Partial<typeof oneClickRunning>): Partial<HealthFacts> => ({
  meters: undefined,
  nominalFps: undefined,
  oneClick: { ...oneClickRunning, ...change },
});

/** Another encoder, of whose last minute this share is missing. */
const losing = (fps: number, ratio: number, isRepeated?: true): Partial<HealthFacts> => ({
  meters: {
    measuredAt: now,
    fps,
    droppedFrames: { count: Math.round(ratio * 1_800), ratio, ...(isRepeated && { isRepeated }) },
  },
});

const playing = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 1_800 };

/** A monitor that plays, and has stalled for as long in the last minute. */
const stalling = (stalls: number, stalledSeconds: number): Partial<HealthFacts> => {
  const recent = { ...playing, stalls, stalledSeconds };
  const watched: WatchedPlayback = {
    pageId: 'a',
    report: { state: 'playing', ...recent },
    recent,
    isStarted: true,
    isSettled: true,
  };
  return { playback: [watched] };
};

const severities = ['bad', 'warn', 'good'] as const;

/** The worst of the numbers that Health leads with. */
function weighWorstNumber({ oneClick, meters, playback }: HealthFacts) {
  const shown: Meters | undefined = meters ?? describeSent(oneClick, now);
  const numbers = weighNumbers({
    droppedRatio: shown?.droppedFrames?.ratio,
    recent: playback[0]?.recent ?? playing,
    isCoarse: findCoarseBitrate(oneClick) !== undefined,
  });
  return severities.find((severity) => Object.values(numbers).includes(severity));
}

test.each<[string, Partial<HealthFacts>, number: string, stage: string, verdict: string]>([
  ['nothing wrong', {}, 'good', 'good', 'good, good'],
  ['1 % dropped on the way to another computer', sending({ droppedFrames: 18 }), 'good', 'good', 'good, good'],
  ['more than 1 % dropped there', sending({ droppedFrames: 19 }), 'warn', 'warn', 'upload-dropped, warn'],
  ['a second dropped there', sending({ droppedFrames: 30 }), 'warn', 'warn', 'upload-dropped, warn'],
  [
    'more than 1 % of 20 s dropped there',
    sending({ droppedFrames: 7, since: now - 20_000 }),
    'warn',
    'warn',
    'upload-dropped, warn',
  ],
  ['frames dropped too soon to tell a share', sending({ droppedFrames: 7, since: now - 9_999 }), 'good', 'good', 'good, good'],
  [
    'more than 1 % dropped here',
    { oneClick: { ...oneClickRunning, droppedFrames: 19 }, ...losing(30, 0.0106) },
    'warn',
    'warn',
    'upload-dropped, warn',
  ],
  ['1 % lost again and again', losing(30, 0.01, true), 'good', 'good', 'good, good'],
  ['more than 1 % lost again and again', losing(30, 0.011, true), 'warn', 'warn', 'frames-missing, warn'],
  ['more than 5 % lost again and again', losing(30, 0.051, true), 'bad', 'bad', 'frames-missing, bad'],
  ['a third of the frames missing', losing(20, 0.33), 'bad', 'bad', 'frames-missing, bad'],
  ['a coarse picture', sending({ videoBitrateBps: 1_490_000 }), 'warn', 'warn', 'picture-coarse, warn'],
  ['a picture that is almost coarse', sending({ videoBitrateBps: 1_500_000 }), 'good', 'good', 'good, good'],
  ['a hiccup', stalling(1, 0.9), 'good', 'good', 'good, good'],
  ['a long stall', stalling(1, 1), 'warn', 'warn', 'play-stalls, warn'],
  ['two stalls', stalling(2, 0.9), 'warn', 'warn', 'play-stalls, warn'],
])('numbers, stages and verdict agree on %s', (_what, change, number, stage, verdict) => {
  const facts: HealthFacts = { ...healthy, ...change };
  const stages = reportStages(facts);
  const worstStage = severities.find((each) => stages.some(({ severity }) => severity === each));
  const drawn = drawVerdict(facts);
  expect([weighWorstNumber(facts), worstStage, `${drawn?.code}, ${drawn?.severity}`]).toEqual([number, stage, verdict]);
});
