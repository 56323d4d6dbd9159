import { expect, test } from 'vitest';
import type { MissingFfmpeg } from '../model/missing-ffmpeg.ts';
import { describeMissingFfmpeg, nameMissingFfmpeg } from './ffmpeg-words.ts';

type MissingOf<Code> = Extract<MissingFfmpeg, { code: Code }>;

/** Every reason for a missing ffmpeg, with its sentence. */
const words: { [Code in MissingFfmpeg['code']]: [MissingOf<Code>, string][] } = {
  'not-started': [
    [
      { code: 'not-started', shortage: 'memory' },
      'ffmpeg failed to start: the computer has no memory left, so close other programs.',
    ],
  ],
  searching: [[{ code: 'searching' }, 'Tallylight is looking for ffmpeg.']],
  'search-failed': [[{ code: 'search-failed' }, 'Tallylight could not search for ffmpeg. See its log for the cause.']],
  unusable: [
    [
      { code: 'unusable', path: 'bin/ffmpeg' },
      'TALLYLIGHT_FFMPEG is "bin/ffmpeg", which is not the full path of a working ffmpeg. Correct or unset it.',
    ],
  ],
  'no-answer': [
    [
      { code: 'no-answer', path: '/usr/bin/ffmpeg', afterMs: 5_000 },
      "/usr/bin/ffmpeg didn't answer within 5\u00a0s. Tallylight keeps trying. If that doesn't help, install that ffmpeg again.",
    ],
  ],
  'not-found': [
    [{ code: 'not-found' }, 'No ffmpeg was found. Install it with your package manager.'],
    [
      { code: 'not-found', installCommand: 'brew install ffmpeg' },
      'No ffmpeg was found. Run "brew install ffmpeg" to install it.',
    ],
  ],
};

test.each(Object.values(words).flat())('the words of %j', (missing, sentence) => {
  expect(describeMissingFfmpeg(missing)).toBe(sentence);
});

test('the label of a missing ffmpeg tells one that is not found from one that does not run now', () => {
  const labels = Object.values(words)
    .flat()
    .map(([missing]) => [missing.code, nameMissingFfmpeg(missing)]);
  expect(labels).toEqual([
    ['not-started', 'Failed to start'],
    ['searching', 'Not found yet'],
    ['search-failed', 'Not found'],
    ['unusable', 'Not found'],
    ['no-answer', 'No answer'],
    ['not-found', 'Not found'],
    ['not-found', 'Not found'],
  ]);
});
