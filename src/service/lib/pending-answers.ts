/**
 * Asks drives about paths, or services by address, once at a time: callers with the same question share the pending answer. A drive that
 * doesn't answer blocks a thread of Node's pool per question, and the store, the log and name lookups need those threads, too.
 */
export class PendingAnswers<Answer> {
  readonly #ask: (path: string) => Promise<Answer>;
  readonly #pending = new Map<string, Promise<Answer>>();

  constructor(ask: (path: string) => Promise<Answer>) {
    this.#ask = ask;
  }

  /** Whether this path was asked about and hasn't been answered yet. */
  isPending(path: string): boolean {
    return this.#pending.has(path);
  }

  /** The answer, or its failure. Neither is cached. */
  ask(path: string): Promise<Answer> {
    const pending = this.#pending.get(path);
    if (pending !== undefined) return pending;
    const answer = this.#ask(path).finally(() => this.#pending.delete(path));
    this.#pending.set(path, answer);
    return answer;
  }
}
