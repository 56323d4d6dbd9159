/** A segment or part that a player loads: how long it plays, in seconds, and the times of its loading, in milliseconds; 0 is not yet. */
export interface Transfer {
  duration: number;
  stats: { loading: { first: number; end: number } };
}

/** Newest transfers that are looked at together: of parts, about a second. */
const watched = 3;

/**
 * Whether media come more slowly than they play. The time until the first byte is not counted: the service holds it back until there
 * is a part. So a computer that is busy with other things for a moment is not taken for a slow connection.
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

  /** Whether it is so now, by the clock of the transfers. */
  isSlow(atMs: number): boolean {
    const transfers = [...this.#done, ...(this.#pending === undefined ? [] : [this.#pending])].slice(-watched);
    const playMs = transfers.reduce((sum, { duration }) => sum + duration * 1000, 0);
    return transfers.reduce((sum, transfer) => sum + measureMs(transfer, atMs), 0) > playMs;
  }
}

function measureMs({ stats: { loading } }: Transfer, atMs: number): number {
  return loading.first === 0 ? 0 : (loading.end || atMs) - loading.first;
}
