/** How long a takeover is remembered. */
const keptMs = 30_000;
/** This many in that time mean two publishers that reconnect by themselves and keep replacing each other. */
const turns = 3;

/**
 * Counts, for each stream, publishers that replaced one that was sending. It reads no clock: times are those of
 * `Clock.monotonicMs`.
 */
export class Takeovers {
  readonly #byStreamId = new Map<string, number[]>();

  note(streamId: string, now: number): void {
    this.#byStreamId.set(streamId, [...this.#recent(streamId, now), now]);
  }

  /** Whether two publishers keep replacing each other. */
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
