/**
 * Asks drives about paths, or services by their address, and shares an answer that hasn't come yet with all who ask for it meanwhile. A drive
 * that doesn't answer holds a thread of Node's pool for each question, and the store, the log and name lookups need them, too.
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

  /** The answer, or its failure; none of them is kept. */
  ask(path: string): Promise<Answer> {
    const pending = this.#pending.get(path);
    if (pending !== undefined) return pending;
    const answer = this.#ask(path).finally(() => this.#pending.delete(path));
    this.#pending.set(path, answer);
    return answer;
  }
}
