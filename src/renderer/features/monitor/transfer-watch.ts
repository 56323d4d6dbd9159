/** A segment or part being loaded: its duration in seconds, and its loading times in milliseconds, 0 meaning not yet. */
export interface Transfer {
  duration: number;
  stats: { loading: { first: number; end: number } };
}

/** How many of the newest transfers are considered; of parts, about a second. */
const watched = 3;

/**
 * Whether media arrives more slowly than it plays. The time to the first byte doesn't count, since the service holds the answer back
 * until a part is ready. A briefly busy computer doesn't count as a slow connection.
 */
export class TransferWatch {
  #done: Transfer[] = [];
  #pending: Transfer | undefined;

  begin(transfer: Transfer): void {
    this.#pending = transfer;
  }

  end(transfer: Transfer): void {
    this.#pending = undefined;
    this.#done = [...this.#done.slice(1 - watched), transfer];
  }

  /** Whether it does at this time, by the clock of the transfers. */
  isSlow(atMs: number): boolean {
    const transfers = [...this.#done, ...(this.#pending === undefined ? [] : [this.#pending])].slice(-watched);
    const playMs = transfers.reduce((sum, { duration }) => sum + duration * 1000, 0);
    return transfers.reduce((sum, transfer) => sum + measureMs(transfer, atMs), 0) > playMs;
  }
}

function measureMs({ stats: { loading } }: Transfer, atMs: number): number {
  return loading.first === 0 ? 0 : (loading.end || atMs) - loading.first;
}
