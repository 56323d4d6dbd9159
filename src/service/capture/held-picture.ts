import type { PooledFrame } from './frame-pool.ts';

/** The picture shown last: it stays until there is another. */
export class HeldPicture {
  #frame: PooledFrame | undefined;

  /** Shows `next`, if there is one, and releases it later. Returns what is shown; the caller releases that, too. */
  show(next: PooledFrame | undefined): PooledFrame | undefined {
    if (next !== undefined) {
      this.#frame?.release();
      this.#frame = next;
    }
    return this.#frame?.keep();
  }

  /** Shows nothing from now on. */
  drop(): void {
    this.#frame?.release();
    this.#frame = undefined;
  }
}
