import { expect, test } from 'vitest';
import type { Verdict } from '../../shared/model/verdict.ts';
import { announceVerdict, nothingSaid } from './announcement.ts';

const tight = (queueMs: number): Verdict => ({ code: 'upload-tight', severity: 'warn', queueMs, droppedFrames: 0 });
const frames = (severity: 'warn' | 'bad'): Verdict => ({
  code: 'frames-missing',
  severity,
  fps: 20,
  nominalFps: 30,
  from: 'one-click',
});
const back: Verdict = { code: 'encoder-back', severity: 'warn' };
const retry: Verdict = { code: 'ingest-retry', severity: 'bad' };
const good: Verdict = { code: 'good', severity: 'good' };

/** What is said of verdicts that follow each other, a bad one in capitals. */
function say(...verdicts: (Verdict | undefined)[]): (string | undefined)[] {
  let said = nothingSaid;
  return verdicts.map((each) => {
    const step = announceVerdict(said, each);
    said = step.said;
    return step.isUrgent ? step.sentence?.toUpperCase() : step.sentence;
  });
}

const retrySaid = "RECONNECTING TO THE INGEST. TALLYLIGHT KEEPS TRYING. IF THAT DOESN'T HELP, STOP AND GO LIVE AGAIN.";

test('each trouble is said once, a bad one at once, and so is its end', () => {
  expect(say(good, tight(205), tight(210), retry, good, undefined)).toEqual([
    undefined,
    'Upload is barely keeping up. 205 ms of media is waiting to be sent. If this lasts, choose a lower quality.',
    undefined,
    retrySaid,
    'All good',
    undefined,
  ]);
});

test('trouble that gets worse under the same title is said at once, one that gets better is not', () => {
  const sentence =
    'Frames are missing. Only 20.0 of 30 frames per second arrive: the encoder is overloaded. Close other programs or choose a lower quality.';
  expect(say(frames('warn'), frames('bad'), frames('warn'))).toEqual([sentence, sentence.toUpperCase(), undefined]);
});

test('one trouble that follows another is said', () => {
  expect(say(tight(205), back)[1]).toBe("The encoder is back. It's sending again. Viewers will see it in a moment.");
});

test('the end of a broadcast is not the end of its trouble to be cheered', () => {
  expect(say(retry, undefined, good)).toEqual([retrySaid, undefined, undefined]);
});
