import { expect, test } from 'vitest';
import type { LadderEvent, LadderEventOf } from '../model/ladder-event.ts';
import { describeLadderEvent } from './ladder-words.ts';

const both = ['720p', '480p'];

/** Every event of a ladder, with what is said of it. */
const words: { [Code in LadderEvent['code']]: [LadderEventOf<Code>, string][] } = {
  started: [[{ code: 'started', severity: 'good', names: both }, 'Encoding “720p”, “480p”.']],
  shed: [
    [
      { code: 'shed', severity: 'warn', names: ['720p'] },
      'The rendition “720p” is left out: this computer cannot encode it fast enough.',
    ],
    [
      { code: 'shed', severity: 'warn', names: both },
      'The renditions “720p”, “480p” are left out: this computer cannot encode them fast enough.',
    ],
  ],
  returned: [
    [
      { code: 'returned', severity: 'good', names: ['720p'] },
      'The rendition “720p” is encoded again: there is room for it now.',
    ],
  ],
  'left-out': [
    [{ code: 'left-out', severity: 'good', names: ['720p'] }, 'The rendition “720p” is left out, as you asked.'],
    [{ code: 'left-out', severity: 'good', names: both }, 'The renditions “720p”, “480p” are left out, as you asked.'],
  ],
  'taken-back': [
    [{ code: 'taken-back', severity: 'good', names: ['720p'] }, 'The rendition “720p” is encoded again, as you asked.'],
  ],
  overflow: [
    [
      { code: 'overflow', severity: 'warn', names: both, frames: 12 },
      '12 frames were left out of the renditions: ffmpeg did not take them in time.',
    ],
  ],
  crashed: [
    [
      { code: 'crashed', severity: 'warn', names: both, failure: { code: 'killed', signal: 'SIGKILL' }, restart: {} },
      'ffmpeg was ended from outside (SIGKILL). It restarts at the next keyframe.',
    ],
    [
      { code: 'crashed', severity: 'warn', names: both, failure: { code: 'stuck' }, restart: { encoder: 'libx264' } },
      'ffmpeg takes frames in but puts none out. It restarts at the next keyframe, with libx264.',
    ],
    [{ code: 'crashed', severity: 'warn', names: both, failure: { code: 'exited', exitCode: 1 } }, 'ffmpeg ended with code 1.'],
  ],
  'given-up': [
    [
      {
        code: 'given-up',
        severity: 'bad',
        names: both,
        why: { kind: 'failures', count: 5, last: { code: 'not-started' } },
      },
      'The renditions are given up after 5 failures within a minute: ffmpeg could not be started. The source continues.',
    ],
    [
      { code: 'given-up', severity: 'warn', names: both, why: { kind: 'no-ffmpeg' } },
      'There are no renditions because no ffmpeg was found: viewers get only the source.',
    ],
    [
      { code: 'given-up', severity: 'warn', names: both, why: { kind: 'no-encoder' } },
      'There are no renditions because no encoder works on this computer: viewers get only the source.',
    ],
    [
      { code: 'given-up', severity: 'warn', names: both, why: { kind: 'no-decoder', codec: 'AV1' } },
      'There are no renditions because your ffmpeg cannot decode AV1 from an encoder: viewers get only the source. ' +
        "Choose H.264 in the encoder's settings, or install a newer ffmpeg.",
    ],
  ],
};

test.each(Object.values(words).flat())('the words of %j', (event, sentence) => {
  expect(describeLadderEvent(event)).toBe(sentence);
});
