import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { playAlarm } from './alarm-sound.ts';

const happened: string[] = [];
beforeEach(() => void happened.splice(0));

/** A page whose browser answers a request for sound like this; it records the outcome. */
function stubSound(resume: () => Promise<void>) {
  vi.stubGlobal(
    'AudioContext',
    class {
      readonly currentTime = 0;
      resume = resume;
      async close() {
        happened.push('closed');
      }
      createGain() {
        return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {} }, connect() {} };
      }
      createOscillator() {
        const oscillator = {
          frequency: { setValueAtTime() {} },
          onended: () => {},
          connect() {},
          start: () => void happened.push('started'),
          stop: () => queueMicrotask(() => oscillator.onended()),
        };
        return oscillator;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('the alarm sounds, and leaves nothing open', async () => {
  stubSound(async () => {});
  await playAlarm();
  expect(happened).toEqual(['started', 'closed']);
});

test('of two pages with one reason, one sounds; a page that is only tried sounds anyway', async () => {
  stubSound(async () => {});
  let isFree = true;
  const request = async (_name: string, _options: LockOptions, use: (lock: unknown) => unknown) => {
    const lock = isFree ? {} : null;
    isFree = false;
    await use(lock);
  };
  vi.stubGlobal('navigator', { locks: { request } });
  await playAlarm('loss');
  await playAlarm('loss');
  expect(happened).toEqual(['started', 'closed', 'closed']);
  await playAlarm();
  expect(happened.slice(3)).toEqual(['started', 'closed']);
});

test('where the browser lets no sound out, it is given up after 10 s, and does not sound later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { promise, resolve } = Promise.withResolvers<void>();
  stubSound(() => promise);
  const playing = playAlarm();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(happened).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(happened).toEqual(['closed']);
  resolve();
  await playing;
  expect(happened).toEqual(['closed']);
});

test('an alarm whose reason is over before the browser lets the sound out does not sound', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stubSound(() => promise);
  const over = new AbortController();
  const playing = playAlarm('loss', over.signal);
  over.abort();
  resolve();
  await playing;
  expect(happened).toEqual(['closed']);
});
