import type { LogLine, Severity } from '../../shared/model/live.ts';

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

  add(at: number, severity: Severity, sentence: string): void {
    this.#lines = [{ id: this.#nextId, at, severity, sentence }, ...this.#lines].slice(0, this.#capacity);
    this.#nextId += 1;
  }
}
