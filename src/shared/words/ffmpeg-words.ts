import { assertNever } from '../assert-never.ts';
import type { MissingFfmpeg } from '../model/missing-ffmpeg.ts';
import { withUnit } from '../with-unit.ts';
import { describeUnstarted } from './shortage-words.ts';

/** A short label for a missing ffmpeg: the search may still be running, or may have found one that doesn't run now. */
export function nameMissingFfmpeg({ code }: MissingFfmpeg): string {
  switch (code) {
    case 'searching':
      return 'Not found yet';
    case 'not-started':
      return 'Failed to start';
    case 'no-answer':
      return 'No answer';
    default:
      return 'Not found';
  }
}

/** Why there is no ffmpeg and how to get one, in a sentence or two. */
export function describeMissingFfmpeg(missing: MissingFfmpeg): string {
  switch (missing.code) {
    case 'searching':
      return 'Tallylight is looking for ffmpeg.';
    case 'search-failed':
      return 'Tallylight could not search for ffmpeg. See its log for the cause.';
    case 'unusable':
      return `TALLYLIGHT_FFMPEG is "${missing.path}", which is not the full path of a working ffmpeg. Correct or unset it.`;
    case 'not-started':
      return describeUnstarted(missing.shortage);
    case 'no-answer':
      return `${missing.path} didn't answer within ${withUnit(missing.afterMs / 1000, 's')}. Tallylight keeps trying. If that doesn't help, install that ffmpeg again.`;
    case 'not-found':
      return missing.installCommand === undefined
        ? 'No ffmpeg was found. Install it with your package manager.'
        : `No ffmpeg was found. Run "${missing.installCommand}" to install it.`;
    default:
      return assertNever(missing);
  }
}
