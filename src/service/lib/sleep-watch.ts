import { uptime } from 'node:os';
import type { Sleep } from '../../shared/model/sleep.ts';
import type { Clock, SleepSignal } from '../ports.ts';

/** How long a sleep is reported after its end. */
const toldForMs = 60_000;

/** Shorter gaps come from a busy computer. */
const shortestMs = 10_000;

/**
 * Detects, when checked once a second, that the computer has slept.
 *
 * During sleep on Linux the system's uptime advances while `Clock.monotonicMs` stops. On macOS and Windows both advance (libuv's
 * `uv_hrtime` is `mach_continuous_time` and `QueryPerformanceCounter`): missing checks show only that nothing ran, and the system's signals
 * that it slept. The wall clock is no evidence, since it may have been set.
 */
export class SleepWatch {
  readonly #clock: Clock;
  readonly #readUptimeMs: () => number;
  #last: { monotonicMs: number; uptimeMs: number };
  /** The system has fallen asleep, and has not said that it woke. */
  #isSuspended = false;
  /** It has woken since the last check. */
  #hasWoken = false;
  #latest: { sleep: Sleep; notedMs: number } | undefined;

  constructor(clock: Clock, readUptimeMs: () => number = () => uptime() * 1000) {
    this.#clock = clock;
    this.#readUptimeMs = readUptimeMs;
    this.#last = this.#read();
  }

  /** Takes the system's signals. The one for waking may come before or after the first check that follows. */
  hear(signal: SleepSignal): void {
    this.#isSuspended = signal === 'suspend';
    this.#hasWoken = signal === 'resume';
  }

  /** The sleep that has just ended; undefined if there was none. */
  check(): Sleep | undefined {
    const { monotonicMs, uptimeMs } = this.#read();
    const ranMs = monotonicMs - this.#last.monotonicMs;
    const passedMs = Math.max(ranMs, uptimeMs - this.#last.uptimeMs);
    const wasSuspended = this.#isSuspended || this.#hasWoken;
    this.#last = { monotonicMs, uptimeMs };
    this.#hasWoken = false;
    if (passedMs < shortestMs) return undefined;
    const to = this.#clock.now();
    const sleep: Sleep = { kind: wasSuspended || passedMs - ranMs >= shortestMs ? 'slept' : 'held', from: to - passedMs, to };
    this.#latest = { sleep, notedMs: monotonicMs };
    return sleep;
  }

  /** The last sleep, if it ended within this time; by default, while it is reported. */
  findRecent(withinMs = toldForMs): Sleep | undefined {
    return this.#latest && this.#clock.monotonicMs() - this.#latest.notedMs <= withinMs ? this.#latest.sleep : undefined;
  }

  #read() {
    return { monotonicMs: this.#clock.monotonicMs(), uptimeMs: this.#readUptimeMs() };
  }
}
