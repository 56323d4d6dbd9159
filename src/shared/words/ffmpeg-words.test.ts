import { expect, test } from 'vitest';
import type { MissingFfmpeg } from '../model/missing-ffmpeg.ts';
import { describeMissingFfmpeg } from './ffmpeg-words.ts';

type MissingOf<Code> = Extract<MissingFfmpeg, { code: Code }>;

/** Every reason for a missing ffmpeg, with its sentence. */
const words: { [Code in MissingFfmpeg['code']]: [MissingOf<Code>, string][] } = {
  searching: [[{ code: 'searching' }, 'Tallylight is looking for ffmpeg.']],
  'search-failed': [[{ code: 'search-failed' }, 'Tallylight could not search for ffmpeg. See its log for the cause.']],
  unusable: [
    [
      { code: 'unusable', path: 'bin/ffmpeg' },
      'TALLYLIGHT_FFMPEG is "bin/ffmpeg", which is not the full path of a working ffmpeg. Correct or unset it.',
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
