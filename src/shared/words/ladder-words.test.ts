import { expect, test } from 'vitest';
import type { LadderEvent, LadderEventOf } from '../model/ladder-event.ts';
import { describeLadderEvent } from './ladder-words.ts';

const both = ['720p', '480p'];

/** Every ladder event, with its sentence. */
const words: { [Code in LadderEvent['code']]: [LadderEventOf<Code>, string][] } = {
  started: [
    [{ code: 'started', severity: 'good', names: both }, 'Encoding “720p”, “480p”.'],
    [{ code: 'started', severity: 'good', names: ['גבוה', 'נמוך'] }, 'Encoding “\u2068גבוה\u2069”, “\u2068נמוך\u2069”.'],
  ],
  shed: [
    [
      { code: 'shed', severity: 'warn', names: ['720p'] },
      "The rendition “720p” is paused: this computer can't encode it in real time.",
    ],
    [
      { code: 'shed', severity: 'warn', names: both },
      "The renditions “720p”, “480p” are paused: this computer can't encode them in real time.",
    ],
  ],
  returned: [
    [
      { code: 'returned', severity: 'good', names: ['720p'] },
      'The rendition “720p” is back: this computer has room for it again.',
    ],
  ],
  'left-out': [
    [{ code: 'left-out', severity: 'good', names: ['720p'] }, 'The rendition “720p” is turned off, as you asked.'],
    [{ code: 'left-out', severity: 'good', names: both }, 'The renditions “720p”, “480p” are turned off, as you asked.'],
  ],
  'taken-back': [
    [{ code: 'taken-back', severity: 'good', names: ['720p'] }, 'The rendition “720p” is turned back on, as you asked.'],
  ],
  overflow: [
    [
      { code: 'overflow', severity: 'warn', names: both, frames: 1_339 },
      "The renditions skipped 1\u202f339 frames because ffmpeg couldn't keep up.",
    ],
    [
      { code: 'overflow', severity: 'warn', names: both, frames: 1 },
      "The renditions skipped 1 frame because ffmpeg couldn't keep up.",
    ],
  ],
  crashed: [
    [
      { code: 'crashed', severity: 'warn', names: both, failure: { code: 'killed', signal: 'SIGKILL' }, restart: {} },
      'ffmpeg was killed (SIGKILL). It restarts at the next keyframe.',
    ],
    [
      { code: 'crashed', severity: 'warn', names: both, failure: { code: 'stuck' }, restart: { encoder: 'libx264' } },
      'ffmpeg accepts frames but outputs none. It restarts at the next keyframe, with libx264.',
    ],
    [
      { code: 'crashed', severity: 'warn', names: both, failure: { code: 'exited', exitCode: 1 } },
      'ffmpeg exited with code 1.',
    ],
  ],
  rested: [
    [
      { code: 'rested', severity: 'bad', names: both, count: 5, last: { code: 'not-started' }, waitMs: 60_000 },
      'The renditions failed 5 times within a minute: ffmpeg failed to start. Viewers get only the source. Trying again in 60\u00a0s.',
    ],
    [
      { code: 'rested', severity: 'bad', names: both, count: 1, last: { code: 'stuck' }, waitMs: 240_000 },
      'The renditions failed again: ffmpeg accepts frames but outputs none. Viewers get only the source. Trying again in 4\u00a0min.',
    ],
  ],
  'given-up': [
    [
      { code: 'given-up', severity: 'warn', names: both, why: { kind: 'no-ffmpeg' } },
      "There are no renditions because ffmpeg isn't available. Viewers get only the source.",
    ],
    [
      { code: 'given-up', severity: 'warn', names: both, why: { kind: 'no-encoder' } },
      'There are no renditions because no encoder works on this computer. Viewers get only the source.',
    ],
    [
      { code: 'given-up', severity: 'warn', names: both, why: { kind: 'no-decoder', codec: 'AV1' } },
      "There are no renditions because your ffmpeg can't decode AV1. Viewers get only the source. " +
        "Choose H.264 in the encoder's settings, or install a newer ffmpeg.",
    ],
  ],
};

test.each(Object.values(words).flat())('describes %j', (event, sentence) => {
  expect(describeLadderEvent(event)).toBe(sentence);
});
