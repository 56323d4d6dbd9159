import type { Severity } from '../../shared/model/live.ts';
import type { LogEvent, LogLine } from '../../shared/model/log-line.ts';

/** The last lines of what happened to one stream, newest first. Bounded: old lines fall off. */
export class EventLog {
  readonly #capacity: number;
  #lines: LogLine[] = [];
  #nextId = 1;

  constructor(capacity = 50) {
    this.#capacity = capacity;
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** @param options.isLate whether it is told only now, and may be older than lines that are there */
  add(at: number, severity: Severity, event: LogEvent, { isLate = false } = {}): void {
    const place = isLate ? this.#lines.findIndex((line) => line.at <= at) : 0;
    this.#lines = this.#lines
      .toSpliced(place < 0 ? this.#lines.length : place, 0, { id: this.#nextId, at, severity, event })
      .slice(0, this.#capacity);
    this.#nextId += 1;
  }
}
