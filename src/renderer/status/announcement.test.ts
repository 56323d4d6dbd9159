import { expect, test } from 'vitest';
import type { Verdict } from '../../shared/model/verdict.ts';
import { describeVerdict } from '../../shared/words/verdict-words.ts';
import { announceVerdict, nothingSaid } from './announcement.ts';

/** The service's clock is an hour ahead of the page's. */
const clockOffsetMs = 3_600_000;

const tight = (queueMs: number): Verdict => ({ code: 'upload-tight', severity: 'warn', queueMs, droppedFrames: 0 });
const frames = (severity: 'warn' | 'bad'): Verdict => ({
  code: 'frames-missing',
  severity,
  fps: 20,
  nominalFps: 30,
  from: 'one-click',
});
const back: Verdict = { code: 'encoder-back', severity: 'warn' };
const retry: Verdict = { code: 'ingest-retry', severity: 'bad', hasBeenLive: true };
const good: Verdict = { code: 'good', severity: 'good' };

/** The announcements for successive verdicts; urgent ones in capitals. */
function say(...verdicts: (Verdict | undefined)[]): (string | undefined)[] {
  let said = nothingSaid;
  return verdicts.map((each) => {
    const step = announceVerdict(said, each, clockOffsetMs);
    said = step.said;
    return step.isUrgent ? step.sentence?.toUpperCase() : step.sentence;
  });
}

const retrySaid = "RECONNECTING TO THE INGEST. TALLYLIGHT KEEPS TRYING. IF THAT DOESN'T HELP, STOP AND GO LIVE AGAIN.";

test('each trouble and its end are announced once, a bad one urgently', () => {
  expect(say(good, tight(205), tight(210), retry, good, undefined)).toEqual([
    undefined,
    'Upload is barely keeping up. 205\u00a0ms of media is waiting to be sent. The bitrate is being lowered to fit; if this continues, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.',
    undefined,
    retrySaid,
    'All good',
    undefined,
  ]);
});

test('trouble that gets worse is announced urgently; one that gets better is not, nor worse again', () => {
  const sentence =
    "Frames are missing. Only 20.0 of 30 frames per second arrive: the encoder is overloaded. Close other programs. If that doesn't help, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.";
  const again = [frames('warn'), frames('bad'), frames('warn'), frames('bad')];
  expect(say(...again)).toEqual([sentence, sentence.toUpperCase(), undefined, undefined]);
});

test('a new trouble is announced', () => {
  expect(say(tight(205), back)[1]).toBe("The encoder is back. It's connected again. Viewers will see it in a moment.");
});

test("times follow the page's clock, not the service's", () => {
  const at = (hours: number, minutes: number) => new Date(2030, 0, 1, hours, minutes).getTime();
  const slept: Verdict = { code: 'slept', severity: 'warn', sleep: { kind: 'slept', from: at(10, 0), to: at(10, 25) } };
  const { title, sentence } = describeVerdict(slept, clockOffsetMs);
  expect(say(slept)).toEqual([`${title}. ${sentence}`]);
});

test('each failure is announced, also if the page learns of nothing between two', () => {
  const verdict: Verdict = { code: 'go-live-failed', severity: 'bad', failure: { code: 'file-gone' } };
  const first = announceVerdict(nothingSaid, verdict, 0, 1_000);
  const same = announceVerdict(first.said, verdict, 0, 1_000);
  const second = announceVerdict(same.said, verdict, 0, 2_000);
  const said = 'Go live failed. The file was moved or deleted. Choose it again.';
  expect([first, same, second].map(({ sentence }) => sentence)).toEqual([said, undefined, said]);
});

test('the end of a broadcast does not announce the end of its trouble', () => {
  expect(say(retry, undefined, good)).toEqual([retrySaid, undefined, undefined]);
});
