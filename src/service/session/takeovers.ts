/** How long a takeover is remembered. */
const keptMs = 30_000;
/** So many of them in that time are of two encoders that reconnect by themselves, and send each other away. */
const turns = 3;

/**
 * Counts, for each stream, encoders that took the place of one that was sending. It reads no clock: times are those of
 * `Clock.monotonicMs`.
 */
export class Takeovers {
  readonly #byStreamId = new Map<string, number[]>();

  note(streamId: string, now: number): void {
    this.#byStreamId.set(streamId, [...this.#recent(streamId, now), now]);
  }

  /** Whether two encoders take each other's place again and again. */
  areTakingTurns(streamId: string, now: number): boolean {
    return this.#recent(streamId, now).length >= turns;
  }

  forget(streamId: string): void {
    this.#byStreamId.delete(streamId);
  }

  #recent(streamId: string, now: number): number[] {
    return (this.#byStreamId.get(streamId) ?? []).filter((at) => now - at < keptMs);
  }
}
