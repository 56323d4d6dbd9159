import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { AirState } from '../../shared/model/live.ts';
import type { StreamView } from '../../shared/model/views.ts';
import { watchInterruptions } from './interruption-watch.ts';

/** How far the service's clock is ahead of the page's, in milliseconds. */
const aheadMs = 3_600_000;
const startMs = 1_700_000_000_000;
const serviceNowMs = () => Date.now() + aheadMs;
const session = { since: startMs, sessionId: 'first' };

const view = (air: AirState, others: Partial<StreamView> = {}) => ({ id: 'show', name: 'Show', air, ...others }) as StreamView;
const onAir = view({ kind: 'on-air', ...session });
/** On air, `agoMs` after media last arrived. */
const noSignal = (agoMs: number, others: Partial<StreamView> = {}) =>
  view({ kind: 'on-air', ...session, silentSince: serviceNowMs() - agoMs }, others);
/** Without its encoder, which it waits for. */
const signalLost = (windowMs: number) =>
  view({ kind: 'reconnecting', ...session, lostAt: serviceNowMs(), until: serviceNowMs() + windowMs });
const encoderBack = () => view({ kind: 'reconnecting', ...session, lostAt: serviceNowMs(), back: 'sending' });
const lost = view(
  { kind: 'off-air', endedAt: startMs, reason: 'ingest-lost' },
  { lost: { sessionId: 'first', endedAt: startMs } },
);
const stopped = view({ kind: 'off-air', endedAt: startMs, reason: 'stopped' });

const happened: string[] = [];
const tags: string[] = [];
const open = () =>
  watchInterruptions({
    serviceNowMs,
    alert: ({ name, word, tag }) => {
      happened.push(`${name}: ${word}`);
      tags.push(tag);
      return () => void happened.push('withdrawn');
    },
  });
let watch: ReturnType<typeof open>;

/** Returns a function that lets the page's monotonic clock run on while its timers are held up. */
function makeSleepable(): (ms: number) => void {
  const monotonicMs = performance.now.bind(performance);
  let asleepMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => monotonicMs() + asleepMs);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    asleepMs += ms;
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
  happened.splice(0);
  tags.splice(0);
  watch = open();
  watch([onAir]);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('an interruption alerts once, 5 s after the last media, and is withdrawn when media is back', () => {
  watch([noSignal(3_000)]);
  vi.advanceTimersByTime(1_999);
  expect(happened).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(happened).toEqual(['Show: No signal']);
  watch([signalLost(60_000)]);
  vi.advanceTimersByTime(30_000);
  watch([encoderBack()]);
  expect(happened).toEqual(['Show: No signal']);
  watch([onAir]);
  watch([onAir]);
  expect(happened).toEqual(['Show: No signal', 'withdrawn']);
});

test('an interruption is counted from its first moment, though its encoder disconnects later', () => {
  watch([noSignal(3_000)]);
  vi.advanceTimersByTime(1_000);
  watch([signalLost(60_000)]);
  vi.advanceTimersByTime(999);
  expect(happened).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(happened).toEqual(['Show: Signal lost']);
});

test('each interruption has its own tag, the same in every page', () => {
  const other = open();
  other([onAir]);
  for (let count = 0; count < 2; count += 1) {
    const interrupted = [noSignal(3_000)];
    watch(interrupted);
    vi.advanceTimersByTime(700);
    other(interrupted);
    vi.advanceTimersByTime(5_000);
    watch([onAir]);
    other([onAir]);
  }
  expect([tags[0], tags[2]]).toEqual([tags[1], tags[3]]);
  expect(new Set(tags).size).toBe(2);
});

test.each([
  ['is over within 5 s', () => onAir],
  ['ends properly within 5 s', () => stopped],
])('an interruption that %s does not alert', (_how, next) => {
  watch([signalLost(60_000)]);
  vi.advanceTimersByTime(4_999);
  watch([next()]);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual([]);
});

test('a broadcast that was stopped does not alert, however long its remote service takes to end it', () => {
  const air: AirState = { kind: 'reconnecting', ...session, lostAt: serviceNowMs() };
  watch([view(air, { oneClick: 'stopping' })]);
  vi.advanceTimersByTime(12_000);
  watch([view({ ...air, isEndedHere: true })]);
  vi.advanceTimersByTime(600_000);
  watch([stopped]);
  expect(happened).toEqual([]);
});

test('a failed broadcast that its remote service still waits for alerts only as lost', () => {
  const air: AirState = { kind: 'reconnecting', ...session, lostAt: serviceNowMs() };
  const failed = { oneClick: 'failed', lost: { sessionId: 'first', endedAt: serviceNowMs() } } as const;
  watch([view(air, failed)]);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual([]);
  watch([onAir]);
  watch([view(air, { oneClick: 'retrying' })]);
  vi.advanceTimersByTime(5_000);
  watch([view(air, failed)]);
  expect(happened).toEqual(['Show: Reconnecting', 'withdrawn']);
});

test('a failed broadcast alerts only as lost, though its service began another session when it was tried again', () => {
  const air: AirState = { kind: 'reconnecting', ...session, lostAt: serviceNowMs() };
  watch([view(air, { oneClick: 'retrying' })]);
  vi.advanceTimersByTime(4_000);
  const failed = { oneClick: 'failed', lost: { sessionId: 'first', endedAt: serviceNowMs() } } as const;
  watch([view({ ...air, sessionId: 'second' }, failed)]);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual([]);
});

test('a broadcast that fails while it sends alerts only as lost, though the loss is noticed a moment after the failure', () => {
  const failed = { oneClick: 'failed', lost: { sessionId: 'first', endedAt: serviceNowMs() - 1 } } as const;
  watch([view({ kind: 'reconnecting', ...session, lostAt: serviceNowMs() }, failed)]);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual([]);
});

test('a loss before the interruption does not keep it from alerting', () => {
  const failed = { oneClick: 'failed', lost: { sessionId: 'first', endedAt: serviceNowMs() - 1 } } as const;
  watch([view({ kind: 'reconnecting', since: startMs, sessionId: 'second', lostAt: serviceNowMs() }, failed)]);
  vi.advanceTimersByTime(5_000);
  expect(happened).toEqual(['Show: Signal lost']);
});

test.each([
  ['lost', () => [lost]],
  ['stopped', () => [stopped]],
  ['deleted with its stream', () => []],
])('the alert is withdrawn when its broadcast is %s', (_how, next) => {
  watch([signalLost(60_000)]);
  vi.advanceTimersByTime(5_000);
  watch(next());
  expect(happened).toEqual(['Show: Signal lost', 'withdrawn']);
});

test('a broadcast that waits for its encoder no longer than 8 s alerts only when it is lost', () => {
  watch([signalLost(8_000)]);
  vi.advanceTimersByTime(8_000);
  watch([lost]);
  expect(happened).toEqual([]);
  watch([onAir]);
  watch([signalLost(8_001)]);
  vi.advanceTimersByTime(5_000);
  expect(happened).toEqual(['Show: Signal lost']);
});

test('an encoder that is back may give a picture first, but alerts at once if it cannot be played', () => {
  watch([signalLost(60_000)]);
  vi.advanceTimersByTime(4_000);
  watch([encoderBack()]);
  vi.advanceTimersByTime(8_000);
  expect(happened).toEqual([]);
  watch([view({ kind: 'reconnecting', ...session, lostAt: serviceNowMs() - 12_000, unplayable: 'no-keyframe' })]);
  expect(happened).toEqual(['Show: Unplayable']);
});

test('while the streams are unknown nothing alerts, and what happened meanwhile does afterwards', () => {
  watch([noSignal(3_000)]);
  watch(undefined);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual([]);
  watch([noSignal(63_000, { isUnheard: true })]);
  expect(happened).toEqual([]);
  watch([noSignal(63_000)]);
  expect(happened).toEqual(['Show: No signal']);
  watch(undefined);
  watch([noSignal(64_000, { isUnheard: true })]);
  watch([onAir]);
  expect(happened).toEqual(['Show: No signal', 'withdrawn']);
});

test('an interruption that began before the page was opened does not alert, but the next one does', () => {
  const late = open();
  late([noSignal(3_000, { isUnheard: true })]);
  late([noSignal(3_000)]);
  vi.advanceTimersByTime(60_000);
  late([noSignal(63_000)]);
  expect(happened).toEqual([]);
  late([onAir]);
  late([noSignal(5_000)]);
  expect(happened).toEqual(['Show: No signal']);
});

test('an interruption that is found long after it began, as when the computer wakes, alerts only if it lasts 3 s more', () => {
  watch([noSignal(600_000)]);
  vi.advanceTimersByTime(2_999);
  watch([onAir]);
  expect(happened).toEqual([]);
  watch([noSignal(600_000)]);
  vi.advanceTimersByTime(2_999);
  watch([noSignal(602_999)]);
  expect(happened).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(happened).toEqual(['Show: No signal']);
});

test('a page that slept before an alert was due alerts only if the interruption lasts for 3 s after it wakes', () => {
  const sleep = makeSleepable();
  watch([noSignal(3_000)]);
  sleep(3_600_000);
  // Its timer runs before the messages that wait for it are read.
  vi.advanceTimersByTime(2_000);
  expect(happened).toEqual([]);
  watch([onAir]);
  watch([noSignal(3_000)]);
  sleep(3_600_000);
  vi.advanceTimersByTime(2_000 + 2_999);
  expect(happened).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(happened).toEqual(['Show: No signal']);
});

test('a page that wakes and reads a message of the sleep before its timer runs does not alert of it either', () => {
  const sleep = makeSleepable();
  watch([noSignal(3_000)]);
  sleep(3_600_000);
  watch([noSignal(3_600_000)]);
  watch([onAir]);
  expect(happened).toEqual([]);
});

test('a hidden page, whose timers are always late, waits for an interruption only once more', () => {
  const sleep = makeSleepable();
  watch([noSignal(3_000)]);
  sleep(60_000);
  vi.advanceTimersByTime(2_000);
  sleep(60_000);
  vi.advanceTimersByTime(3_000);
  expect(happened).toEqual(['Show: No signal']);
});

test("another session's interruption counts again, even with no update in between", () => {
  watch([noSignal(5_000)]);
  watch([view({ kind: 'on-air', since: startMs, sessionId: 'second', silentSince: serviceNowMs() - 5_000 })]);
  expect(happened).toEqual(['Show: No signal', 'withdrawn', 'Show: No signal']);
});

test('each of several streams alerts at its own time', () => {
  const second = { id: 'talk', name: 'Talk' };
  const fine = { ...onAir, ...second };
  watch([onAir, fine]);
  watch([noSignal(3_000), { ...noSignal(4_000), ...second }]);
  vi.advanceTimersByTime(1_000);
  expect(happened).toEqual(['Talk: No signal']);
  vi.advanceTimersByTime(1_000);
  expect(happened).toEqual(['Talk: No signal', 'Show: No signal']);
});
