import { expect, test } from 'vitest';
import type { StageReport } from '../model/verdict.ts';
import { describeStage } from './stage-words.ts';

type ReportOf<Code extends StageReport['code']> = Extract<StageReport, { code: Code }>;

const still = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, droppedRatio: 0 };
const watched = { stage: 'play', code: 'monitored', severity: 'good', monitor: 'own', recent: still } as const;

/** Every report, with its text. */
const words: { [Code in StageReport['code']]: [ReportOf<Code>, string][] } = {
  capturing: [[{ stage: 'capture', code: 'capturing', severity: 'good' }, 'capturing']],
  'part-away': [
    [{ stage: 'capture', code: 'part-away', severity: 'bad', part: 'picture' }, 'picture missing'],
    [{ stage: 'capture', code: 'part-away', severity: 'warn', part: 'inset' }, 'picture in the corner missing'],
    [{ stage: 'capture', code: 'part-away', severity: 'warn', part: 'sound' }, 'sound missing'],
  ],
  'capturing-sound': [
    [{ stage: 'capture', code: 'capturing-sound', severity: 'warn', trouble: 'silent' }, 'capturing · silent'],
    [{ stage: 'capture', code: 'capturing-sound', severity: 'warn', trouble: 'inverted' }, 'capturing · one side inverted'],
    [
      { stage: 'capture', code: 'capturing-sound', severity: 'warn', trouble: 'device-drifts' },
      "capturing · device's clock is off",
    ],
  ],
  'encoding-sound': [
    [{ stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble: 'one-sided' }, 'sound on one side'],
    [{ stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble: 'clipping' }, 'clipping'],
    [{ stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble: 'loudness-off' }, 'loudness off target'],
    [{ stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble: 'sound-drifts' }, 'sound and picture drift apart'],
  ],
  'encode-failed': [[{ stage: 'encode', code: 'encode-failed', severity: 'bad' }, 'failed']],
  encoding: [
    [{ stage: 'encode', code: 'encoding', severity: 'good', fps: 30, speed: 1 }, '30.0\u00a0fps · 1.00 × real time'],
    [{ stage: 'encode', code: 'encoding', severity: 'good', fps: 29.97 }, '30.0\u00a0fps'],
  ],
  'not-connected': [[{ stage: 'upload', code: 'not-connected', severity: 'bad' }, 'not connected']],
  sending: [
    [{ stage: 'upload', code: 'sending', severity: 'good', queueMs: 12.4, droppedFrames: 0 }, 'queue 12\u00a0ms'],
    [
      { stage: 'upload', code: 'sending', severity: 'bad', queueMs: 712, droppedFrames: 1_204 },
      'queue 712\u00a0ms · 1\u202f204 dropped',
    ],
    [
      { stage: 'upload', code: 'sending', severity: 'warn', queueMs: 20, droppedFrames: 12, coarseBps: 750_000 },
      'queue 20\u00a0ms · 12 dropped · video at 750\u00a0kbit/s',
    ],
  ],
  receiving: [[{ stage: 'ingest', code: 'receiving', severity: 'good' }, 'receiving']],
  'receiving-badly': [
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'nothing-plays' }, 'receiving nothing that plays'],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'no-picture' }, 'receiving sound, no picture'],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'no-sound' }, 'receiving video, no sound'],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'warn', trouble: 'never-sound' }, 'receiving video, no sound'],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'sound-apart' }, 'receiving sound timed apart'],
    [
      { stage: 'ingest', code: 'receiving-badly', severity: 'warn', trouble: 'frames-missing' },
      'receiving fewer frames than announced',
    ],
    [
      { stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'frames-missing', lostRatio: 0.1 },
      'receiving · 10\u00a0% of frames lost',
    ],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'arrives-slowly' }, 'receiving too slowly'],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'warn', trouble: 'arrives-fast' }, 'receiving too fast'],
    [
      { stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'encoders-take-turns' },
      'receiving from two encoders in turn',
    ],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'warn', trouble: 'arrives-with-pauses' }, 'receiving with pauses'],
    [{ stage: 'ingest', code: 'receiving-badly', severity: 'warn', trouble: 'keyframes-far' }, 'receiving too few keyframes'],
    [
      { stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'profile-rare' },
      'receiving a profile that few players decode',
    ],
  ],
  waiting: [[{ stage: 'ingest', code: 'waiting', severity: 'good' }, 'waiting']],
  'sends-nothing': [[{ stage: 'ingest', code: 'sends-nothing', severity: 'bad' }, 'connected, sending nothing']],
  'nothing-yet': [[{ stage: 'ingest', code: 'nothing-yet', severity: 'bad', forMs: 4_300 }, 'nothing for 4\u00a0s']],
  'no-encoder': [[{ stage: 'ingest', code: 'no-encoder', severity: 'bad' }, 'no encoder']],
  'without-video': [[{ stage: 'transcode', code: 'without-video', severity: 'good' }, 'no video to transcode']],
  'some-left-out': [[{ stage: 'transcode', code: 'some-left-out', severity: 'warn', missing: 1, of: 2 }, '1 of 2 not made']],
  'left-out-by-owner': [[{ stage: 'transcode', code: 'left-out-by-owner', severity: 'good' }, 'turned off by you']],
  starting: [
    [{ stage: 'transcode', code: 'starting', severity: 'good', renditions: 1 }, '1 rendition starting'],
    [{ stage: 'transcode', code: 'starting', severity: 'good', renditions: 3 }, '3 renditions starting'],
  ],
  'keeping-up': [
    [{ stage: 'transcode', code: 'keeping-up', severity: 'good', renditions: 1 }, '1 rendition keeping up'],
    [{ stage: 'transcode', code: 'keeping-up', severity: 'good', renditions: 2 }, '2 renditions keeping up'],
  ],
  packaging: [[{ stage: 'package', code: 'packaging', severity: 'good', segmentSeconds: 2 }, '2.0\u00a0s segments']],
  monitored: [
    [{ ...watched, state: 'playing' }, 'playing'],
    [{ ...watched, state: 'playing', behindSeconds: 0.94 }, 'playing · 0.9\u00a0s behind'],
    [
      {
        ...watched,
        state: 'playing',
        behindSeconds: 40,
        recent: { stalls: 2, stalledSeconds: 3.2, droppedFrames: 7, droppedRatio: 0.004 },
      },
      'playing · 40.0\u00a0s behind · stalled twice, 3.2\u00a0s · 7 frames not shown',
    ],
    [
      {
        ...watched,
        state: 'playing',
        recent: { ...still, stalls: 3, stalledSeconds: 9, droppedFrames: 72, droppedRatio: 0.04 },
      },
      'playing · stalled 3 times, 9.0\u00a0s · 72 frames not shown (4\u00a0%)',
    ],
    [{ ...watched, state: 'playing', recent: { ...still, droppedFrames: 1 } }, 'playing · 1 frame not shown'],
    [{ ...watched, state: 'waiting', holdSeconds: 3, behindSeconds: 1 }, 'waiting for 3.0\u00a0s'],
    [{ ...watched, state: 'stalled', holdSeconds: 0.6 }, 'frozen for 0.6\u00a0s'],
    [{ ...watched, state: 'stalled' }, 'frozen'],
    [{ ...watched, state: 'paused', recent: { ...still, stalls: 2 } }, 'paused'],
    [{ ...watched, state: 'failed' }, 'failed'],
    [{ ...watched, monitor: 'other-page', state: 'stalled', holdSeconds: 4 }, 'another page frozen for 4.0\u00a0s'],
    [{ ...watched, monitor: 'any-page', state: 'playing' }, 'a page playing'],
  ],
};

test.each(Object.values(words).flat())('describes %j', (report, said) => {
  expect(describeStage(report)).toBe(said);
});
