import type { Severity } from '../../shared/model/live.ts';
import type { LogEvent, LogLine } from '../../shared/model/log-line.ts';

/** The latest events of one stream, newest first. Old lines are dropped beyond the capacity. */
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

  /** @param options.isLate whether the event is older than now, and belongs further down the log */
  add(at: number, severity: Severity, event: LogEvent, { isLate = false } = {}): void {
    const index = isLate ? this.#lines.findIndex((line) => line.at <= at) : 0;
    this.#lines = this.#lines
      .toSpliced(index < 0 ? this.#lines.length : index, 0, { id: this.#nextId, at, severity, event })
      .slice(0, this.#capacity);
    this.#nextId += 1;
  }

  /** Replaces the newest event that has this one's code, if it is still there: more is known of it by now. */
  amend(event: LogEvent): void {
    const newest = this.#lines.find((line) => line.event.code === event.code);
    this.#lines = this.#lines.map((line) => (line === newest ? { ...line, event } : line));
  }
}
