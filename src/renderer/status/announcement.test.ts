import { expect, test } from 'vitest';
import type { Severity, Verdict } from '../../shared/model/live.ts';
import { announceVerdict, nothingSaid } from './announcement.ts';

const verdict = (severity: Severity, title: string, sentence = 'What to do.'): Verdict => ({
  code: 'play-stalls',
  severity,
  title,
  sentence,
});

/** What is said of verdicts that follow each other, a bad one in capitals. */
function say(...verdicts: (Verdict | undefined)[]): (string | undefined)[] {
  let said = nothingSaid;
  return verdicts.map((each) => {
    const step = announceVerdict(said, each);
    said = step.said;
    return step.isUrgent ? step.sentence?.toUpperCase() : step.sentence;
  });
}

test('each trouble is said once, a bad one at once, and so is its end', () => {
  expect(
    say(
      verdict('good', 'All good'),
      verdict('warn', 'The upload is tight'),
      verdict('warn', 'The upload is tight', '210 ms wait.'),
      verdict('bad', 'Nothing arrives'),
      { code: 'good', severity: 'good', title: 'All good' },
      undefined,
    ),
  ).toEqual([undefined, 'The upload is tight. What to do.', undefined, 'NOTHING ARRIVES. WHAT TO DO.', 'All good', undefined]);
});

test('trouble that gets worse under the same title is said at once, one that gets better is not', () => {
  expect(
    say(verdict('warn', 'Frames are missing'), verdict('bad', 'Frames are missing'), verdict('warn', 'Frames are missing')),
  ).toEqual(['Frames are missing. What to do.', 'FRAMES ARE MISSING. WHAT TO DO.', undefined]);
});

test('the end of a broadcast is not the end of its trouble to be cheered', () => {
  expect(say(verdict('bad', 'Nothing arrives'), undefined, verdict('good', 'All good'))).toEqual([
    'NOTHING ARRIVES. WHAT TO DO.',
    undefined,
    undefined,
  ]);
});
