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

/** A value of a node that changes over time, as the Web Audio API defines it (AudioParam). Changes come in order. */
class Curve {
  readonly #events: { value: number; atSeconds: number; isRamp: boolean }[] = [];
  value: number;

  constructor(value: number) {
    this.value = value;
  }

  setValueAtTime(value: number, atSeconds: number) {
    this.#events.push({ value, atSeconds, isRamp: false });
  }

  linearRampToValueAtTime(value: number, atSeconds: number) {
    this.#events.push({ value, atSeconds, isRamp: true });
  }

  at(seconds: number): number {
    const from = this.#events.findLast(({ atSeconds }) => atSeconds <= seconds) ?? { value: this.value, atSeconds: 0 };
    const next = this.#events.find(({ atSeconds }) => atSeconds > seconds);
    if (next?.isRamp !== true) return from.value;
    return from.value + ((next.value - from.value) * (seconds - from.atSeconds)) / (next.atSeconds - from.atSeconds);
  }
}

test('six tones reach the speakers, high and low in turn, each at full loudness and without a click at either end', async () => {
  const connected: string[] = [];
  const gain = new Curve(1);
  const frequency = new Curve(440);
  let stopsAt = 0;
  vi.stubGlobal(
    'AudioContext',
    class {
      readonly currentTime = 5;
      readonly destination = 'speakers';
      async resume() {}
      async close() {}
      createGain = () => ({ toString: () => 'gain', gain, connect: (to: unknown) => connected.push(`gain to ${to}`) });
      createOscillator() {
        const oscillator = {
          frequency,
          onended: () => {},
          connect: (to: unknown) => connected.push(`oscillator to ${to}`),
          start: () => {},
          stop(atSeconds: number) {
            stopsAt = atSeconds;
            queueMicrotask(() => oscillator.onended());
          },
        };
        return oscillator;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  await playAlarm();
  expect(connected.toSorted()).toEqual(['gain to speakers', 'oscillator to gain']);
  const toneSeconds = (stopsAt - 5) / 6;
  expect(toneSeconds).toBeCloseTo(0.22);
  const tones = Array.from({ length: 6 }, (_, index) => {
    const listen = (share: number) => 5 + (index + share) * toneSeconds;
    const loudness = [0, 0.2, 0.5, 0.8, 0.9999].map((share) => Number(gain.at(listen(share)).toFixed(2)));
    return [frequency.at(listen(0.5)), loudness];
  });
  const heard = [0, 0.35, 0.35, 0.35, 0];
  expect(tones).toEqual([880, 587, 880, 587, 880, 587].map((hz) => [hz, heard]));
  expect(gain.at(4.9)).toBe(0);
});
