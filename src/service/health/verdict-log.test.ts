import { describe, expect, test } from 'vitest';
import { healthy, oneClickRunning } from '../../../test/support/health-facts.ts';
import type { AwayPart } from '../../shared/model/capture.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import type { Verdict } from '../../shared/model/verdict.ts';
import { drawVerdict, findTroubles } from './verdict.ts';
import { VerdictLog } from './verdict-log.ts';

const good: Verdict = { code: 'good', severity: 'good' };
const frames: Verdict = { code: 'frames-missing', severity: 'warn', fps: 28, nominalFps: 30, from: 'encoder' };
const silence: Verdict = { code: 'nothing-arrives', severity: 'bad', isBack: false, isOwn: false };
const gone: Verdict = { code: 'encoder-gone', severity: 'bad', isOwn: false };

/** A short form of a line: `frames-missing ended 4000`. */
function briefly(event: LogEvent): string {
  if (!('verdict' in event)) throw new Error(`A verdict's line has no ${event.code}.`);
  const after = 'afterMs' in event ? ` ${event.afterMs}` : '';
  return `${event.verdict.code} ${event.code.replace('trouble-', '')}${after}`;
}

/** The lines after feeding these verdicts, one per second, some with the troubles that each hides. */
function linesOf(...verdicts: (Verdict | [Verdict, ...Verdict[]] | undefined)[]): string[] {
  const lines: string[] = [];
  const log = new VerdictLog((severity, event, atMs) => lines.push(`${atMs / 1000} ${severity}: ${briefly(event)}`));
  for (const [second, verdict = []] of verdicts.entries()) {
    const troubles = [verdict].flat();
    log.feed(troubles[0], troubles, second * 1_000);
  }
  return lines;
}
const times = (count: number, verdict: Verdict) => Array<Verdict>(count).fill(verdict);
const began = '0 warn: frames-missing began';

test('a lasting verdict has a line when it began and one when it ended', () => {
  expect(linesOf(...times(4, frames))).toEqual([began]);
  expect(linesOf(...times(4, frames), ...times(6, good))).toEqual([began, '4 good: frames-missing ended 4000']);
});

test('a short verdict has one line, and one that returns within 5 s continues', () => {
  expect(linesOf(...times(10, good), frames, frames, ...times(6, good))).toEqual(['10 warn: frames-missing passed 2000']);
  expect(linesOf(...times(3, frames), ...times(4, good), frames, undefined)).toEqual([
    began,
    '8 warn: frames-missing passed 8000',
  ]);
});

test('verdicts that are logged elsewhere have no line here', () => {
  const elsewhere: Verdict[] = [
    gone,
    { code: 'sound-only', severity: 'good' },
    { code: 'go-live-failed', severity: 'bad', failure: { code: 'internal' } },
    { code: 'ingest-retry', severity: 'bad', hasBeenLive: true },
    { code: 'encoder-back', severity: 'warn' },
    { code: 'slept', severity: 'warn', sleep: { kind: 'slept', from: 0, to: 1_000 } },
    { code: 'upload-dropped', severity: 'warn', droppedFrames: 30 },
    { code: 'picture-coarse', severity: 'warn', bitrateBps: 375_000, chosenBps: 3_000_000 },
    { code: 'renditions-shed', severity: 'warn', names: ['720p'] },
    { code: 'no-renditions', severity: 'warn' },
  ];
  expect(elsewhere.flatMap((verdict) => linesOf(...times(4, verdict), ...times(6, good)))).toEqual([]);
});

test('a verdict hidden by a worse one continues, and one that was never shown has no line', () => {
  const worse: Verdict = { code: 'no-sound', severity: 'bad' };
  const hidden: Verdict = { code: 'keyframes-far', severity: 'warn', intervalSeconds: 8 };
  const lines: string[] = [];
  const log = new VerdictLog((_severity, event) => lines.push(briefly(event)));
  let now = 0;
  const feed = (seconds: number, verdict: Verdict, troubles: readonly Verdict[]) => {
    for (const endsAt = now + seconds * 1_000; now < endsAt; now += 1_000) log.feed(verdict, troubles, now);
  };
  feed(4, frames, [frames]);
  feed(10, worse, [worse, frames, hidden]);
  feed(10, frames, [frames, hidden]);
  expect(lines).toEqual(['frames-missing began', 'no-sound began', 'no-sound ended 10000']);
  feed(6, good, []);
  expect(lines.at(-1)).toBe('frames-missing ended 24000');
});

test('a slower source and frames that are dropped have lines of their own', () => {
  const slower: Verdict = { ...frames, isSlower: true };
  expect(linesOf(...times(4, frames), ...times(6, slower))).toEqual([
    began,
    '4 warn: frames-missing began',
    '4 good: frames-missing ended 4000',
  ]);
});

test('a verdict that returns within 5 s behind a worse one continues, too', () => {
  const worse: Verdict = { code: 'no-sound', severity: 'bad' };
  const both = Array<[Verdict, Verdict]>(8).fill([worse, frames]);
  expect(linesOf(...times(3, frames), good, ...both, ...times(6, good))).toEqual([
    began,
    '4 bad: no-sound began',
    '12 good: frames-missing ended 12000',
    '12 good: no-sound ended 8000',
  ]);
});

test('a verdict that a worse one hides is logged while it lasts, not once it is over', () => {
  const worse: Verdict = { code: 'no-sound', severity: 'bad' };
  const lines: string[] = [];
  const log = new VerdictLog((_severity, event, atMs) => lines.push(`${atMs / 1000}: ${briefly(event)}`));
  log.feed(frames, [frames], 0);
  for (let second = 1; second <= 4; second += 1) log.feed(worse, [worse, frames], second * 1_000);
  expect(lines).toEqual(['0: frames-missing began', '1: no-sound began']);
});

test('a verdict that took time to be noticed began when its cause did', () => {
  const lines: string[] = [];
  const log = new VerdictLog((_severity, event, atMs) => lines.push(`${atMs / 1000}: ${briefly(event)}`));
  log.feed(silence, [silence], 13_000, 10_000);
  log.feed(silence, [silence], 14_000, 10_000);
  for (let second = 16; second <= 22; second += 1) log.feed(good, [], second * 1_000);
  expect(lines).toEqual(['10: nothing-arrives began', '16: nothing-arrives ended 6000']);
});

describe('of the parts of our own source', () => {
  const camera: AwayPart = { part: 'picture', kind: 'camera', name: 'Cam', fault: { code: 'gone' } };
  const microphone: AwayPart = { part: 'sound', input: 0, kind: 'microphone', name: 'Mic', fault: { code: 'gone' } };

  /** The lines after these seconds, in each of which these parts are away. */
  const linesOfAway = (...seconds: AwayPart[][]) => {
    const lines: string[] = [];
    const log = new VerdictLog((_severity, event, atMs) => {
      const name = 'verdict' in event && 'away' in event.verdict ? event.verdict.away.name : '';
      lines.push(`${atMs / 1000} ${name}: ${briefly(event)}`);
    });
    for (const [second, away] of seconds.entries()) {
      const facts = { ...healthy, oneClick: { ...oneClickRunning, away } };
      log.feed(drawVerdict(facts), findTroubles(facts), second * 1_000);
    }
    return lines;
  };
  const forSeconds = (count: number, ...away: AwayPart[]) => Array<AwayPart[]>(count).fill(away);
  const nothing = forSeconds(6);

  test('each has lines of its own', () => {
    expect(linesOfAway(...forSeconds(4, camera), ...forSeconds(4, microphone), ...nothing)).toEqual([
      '0 Cam: source-away began',
      '4 Mic: source-away began',
      '4 Cam: source-away ended 4000',
      '8 Mic: source-away ended 4000',
    ]);
  });

  test('a verdict that a worse one hides continues', () => {
    const both = forSeconds(10, camera, microphone);
    expect(linesOfAway(...forSeconds(4, microphone), ...both, ...forSeconds(10, microphone), ...nothing)).toEqual([
      '0 Mic: source-away began',
      '4 Cam: source-away began',
      '14 Cam: source-away ended 10000',
      '24 Mic: source-away ended 24000',
    ]);
  });

  test('a verdict on one of two devices whose clocks are off continues, too', () => {
    const [one, other] = [0, 1].map((input) => ({
      ...microphone,
      input,
      name: `Mic ${input}`,
      fault: { code: 'off-clock' as const },
    })) as [AwayPart, AwayPart];
    const both = forSeconds(10, one, other);
    expect(linesOfAway(...forSeconds(4, other), ...both, ...nothing)).toEqual([
      '0 Mic 1: device-drifts began',
      '4 Mic 0: device-drifts began',
      '14 Mic 1: device-drifts ended 14000',
      '14 Mic 0: device-drifts ended 10000',
    ]);
  });
});

describe('while the encoder is lost', () => {
  const back: Verdict = { ...silence, isBack: true };
  const returning: Verdict = { code: 'encoder-back', severity: 'warn' };
  const absence = [...times(20, gone), returning];

  test('a trouble continues if it is there again, else it was over with the loss', () => {
    expect(linesOf(...times(3, frames), ...absence, ...times(4, frames), ...times(6, good))).toEqual([
      began,
      '28 good: frames-missing ended 28000',
    ]);
    expect(linesOf(...times(3, frames), ...absence, ...times(6, good))).toEqual([began, '3 good: frames-missing ended 3000']);
  });

  test('an ingest that our own encoder tries again is such a loss, too', () => {
    const retried = times(20, { code: 'ingest-retry', severity: 'bad', hasBeenLive: true });
    expect(linesOf(...times(3, frames), ...retried, ...times(4, frames), ...times(6, good))).toEqual([
      began,
      '27 good: frames-missing ended 27000',
    ]);
  });

  test('a trouble that begins between two losses, or outlasts the second, is logged as after the first', () => {
    const between = [...absence, ...times(3, frames)];
    expect(linesOf(...between, ...absence, ...times(6, good))).toEqual([
      '21 warn: frames-missing began',
      '24 good: frames-missing ended 3000',
    ]);
    expect(linesOf(...between, ...absence, ...times(3, frames), ...times(6, good))).toEqual([
      '21 warn: frames-missing began',
      '48 good: frames-missing ended 27000',
    ]);
  });

  test('a trouble that was over before, or had only just begun, does not wait for it', () => {
    expect(linesOf(...times(3, frames), good, ...absence)).toEqual([began, '3 good: frames-missing ended 3000']);
    expect(linesOf(frames, ...absence)).toEqual(['0 warn: frames-missing passed 1000']);
  });

  test('no media arrives until it is back and sends', () => {
    expect(linesOf(...times(3, silence), ...times(20, gone), back, returning, ...times(8, good))).toEqual([
      '0 bad: nothing-arrives began',
      '25 good: nothing-arrives ended 25000',
    ]);
  });

  test('nothing that plays arrives until something does', () => {
    const unplayable: Verdict = { code: 'nothing-plays', severity: 'bad', why: 'unusable', isBack: false };
    const still = { ...unplayable, isBack: true };
    expect(linesOf(...times(3, unplayable), ...times(5, gone), ...times(3, still), returning, ...times(8, good))).toEqual([
      '0 bad: nothing-plays began',
      '12 good: nothing-plays ended 12000',
    ]);
  });

  test('an encoder that is still connected is not lost: troubles end as usual', () => {
    expect(linesOf(...times(3, frames), ...times(7, silence), ...times(3, frames))).toEqual([
      began,
      '3 bad: nothing-arrives began',
      '3 good: frames-missing ended 3000',
      '10 warn: frames-missing began',
    ]);
  });

  test('what lasted until the end of the broadcast, or until its encoder was lost for good, is no good news', () => {
    expect(linesOf(...times(3, frames), ...absence, undefined)).toEqual([began, '3 warn: frames-missing passed 3000']);
    expect(linesOf(...times(3, silence), ...absence, undefined).at(-1)).toBe('24 bad: nothing-arrives passed 24000');
    expect(linesOf(...times(3, frames), good, undefined)).toEqual([began, '3 good: frames-missing ended 3000']);
  });
});
