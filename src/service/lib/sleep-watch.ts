import { uptime } from 'node:os';
import type { Sleep } from '../../shared/model/sleep.ts';
import type { Clock } from '../ports.ts';

/** Shorter than this is a busy computer. */
const shortestMs = 10_000;

/**
 * Notices, when it is asked once a second, that the computer has slept.
 *
 * While it sleeps, the time since it was started goes on and `Clock.monotonicMs` stands still (on Linux and macOS; on Windows both go
 * on, and only that nobody asked tells of it). The wall clock tells nothing: it may have been set.
 */
export class SleepWatch {
  readonly #clock: Clock;
  readonly #readUptimeMs: () => number;
  #last: { monotonicMs: number; uptimeMs: number };
  #latest: { sleep: Sleep; notedMs: number } | undefined;

  constructor(clock: Clock, readUptimeMs: () => number = () => uptime() * 1000) {
    this.#clock = clock;
    this.#readUptimeMs = readUptimeMs;
    this.#last = this.#read();
  }

  /** The sleep that has just ended; undefined when there was none. */
  check(): Sleep | undefined {
    const { monotonicMs, uptimeMs } = this.#read();
    const ranMs = monotonicMs - this.#last.monotonicMs;
    const passedMs = Math.max(ranMs, uptimeMs - this.#last.uptimeMs);
    this.#last = { monotonicMs, uptimeMs };
    if (passedMs < shortestMs) return undefined;
    const to = this.#clock.now();
    const sleep: Sleep = { kind: passedMs - ranMs >= shortestMs ? 'slept' : 'held', from: to - passedMs, to };
    this.#latest = { sleep, notedMs: monotonicMs };
    return sleep;
  }

  /** The last sleep, if it ended no longer ago than this. */
  findRecent(withinMs: number): Sleep | undefined {
    return this.#latest && this.#clock.monotonicMs() - this.#latest.notedMs <= withinMs ? this.#latest.sleep : undefined;
  }

  #read() {
    return { monotonicMs: this.#clock.monotonicMs(), uptimeMs: this.#readUptimeMs() };
  }
}
