import type { LookupFunction } from 'node:net';
import type { ConnectionTime } from '../../shared/model/region.ts';
import { createEventSource } from '../lib/event-source.ts';
import { SideBySide } from '../lib/side-by-side.ts';
import type { Clock } from '../ports.ts';
import { measureConnection } from './measure-connection.ts';

/** How long a connection may take: a region further away than this is of no use. */
const defaultLimitMs = 2_000;
/** How long a time is kept. */
const keptMs = 600_000;
/** How long a failure is kept: shorter, so that a region's return is noticed. */
const failureKeptMs = 60_000;

/** How many ingests are measured side by side: five connections to each stay far below the 1024 descriptors that many systems allow. */
const maxSideBySide = 32;

export interface RegionMeterOptions {
  clock: Clock;
  /** Resolves names; by default the system does. */
  lookup?: LookupFunction;
  limitMs?: number;
  /** Measures one ingest; by default with real connections. */
  measureOnce?: typeof measureConnection;
}

/**
 * Measures in the background how long connections from this computer to ingests take. Times are kept for ten minutes, failures
 * for one. Ingests are told apart by their URLs, so regions of any service can be measured.
 */
export class RegionMeter {
  readonly #options: RegionMeterOptions;
  readonly #results = new Map<string, { time: ConnectionTime; atMs: number }>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #sideBySide = new SideBySide(maxSideBySide);
  readonly #changes = createEventSource<void>();
  readonly #abort = new AbortController();

  constructor(options: RegionMeterOptions) {
    this.#options = options;
  }

  /** The last result, however old; undefined before the first. */
  find(ingest: string): ConnectionTime | undefined {
    return this.#results.get(ingest)?.time;
  }

  isMeasuring(ingest: string): boolean {
    return this.#running.has(ingest);
  }

  /** Measures these ingests in the background, 32 side by side: those without a fresh result, or with `again` all of them. */
  measure(ingests: readonly string[], { again }: { again: boolean } = { again: false }): void {
    if (this.#abort.signal.aborted) return;
    const due = new Set(ingests.filter((ingest) => !this.#running.has(ingest) && (again || !this.#isFresh(ingest))));
    if (due.size === 0) return;
    for (const ingest of due) {
      const measured = this.#sideBySide.run(() => this.#measure(ingest));
      this.#running.set(ingest, measured);
    }
    this.#changes.emit();
  }

  /**
   * Resolves when each of these ingests has a fresh result, or with `again` a new one: within the limit of one connection for every 32
   * that are measured.
   */
  async known(ingests: readonly string[], options?: { again: boolean }): Promise<void> {
    this.measure(ingests, options);
    await Promise.all(ingests.map((ingest) => this.#running.get(ingest)));
  }

  /** Calls `listener` when a measurement begins or ends; returns the undo. */
  onChange(listener: () => void): () => void {
    return this.#changes.on(listener);
  }

  /** Ends running measurements, and measures no more. */
  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#running.values());
  }

  #isFresh(ingest: string): boolean {
    const result = this.#results.get(ingest);
    if (result === undefined) return false;
    const ageMs = this.#options.clock.monotonicMs() - result.atMs;
    return ageMs < (result.time.kind === 'reached' ? keptMs : failureKeptMs);
  }

  async #measure(ingest: string): Promise<void> {
    const { clock, lookup, limitMs = defaultLimitMs, measureOnce = measureConnection } = this.#options;
    const { signal } = this.#abort;
    const result = signal.aborted ? undefined : await measureOnce(ingest, { limitMs, lookup, signal });
    this.#running.delete(ingest);
    if (signal.aborted || result === undefined) return;
    const measuredAt = clock.now();
    const time: ConnectionTime =
      'ms' in result ? { kind: 'reached', ms: result.ms, measuredAt } : { kind: 'failed', failure: result.failure, measuredAt };
    this.#results.set(ingest, { time, atMs: clock.monotonicMs() });
    this.#changes.emit();
  }
}
