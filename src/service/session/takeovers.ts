import { RecentTimes } from '../../shared/recent-times.ts';

/** How long a takeover is remembered. */
const keptMs = 30_000;
/** This many in that time mean two publishers that reconnect by themselves and keep replacing each other. */
const turns = 3;

/**
 * Counts, for each stream, publishers that replaced one that was sending. It reads no clock: times are those of
 * `Clock.monotonicMs`.
 */
export class Takeovers {
  readonly #byStreamId = new Map<string, RecentTimes>();

  note(streamId: string, now: number): void {
    const takeovers = this.#byStreamId.get(streamId) ?? new RecentTimes(keptMs);
    this.#byStreamId.set(streamId, takeovers);
    takeovers.add(now);
  }

  /** Whether two publishers keep replacing each other. */
  areTakingTurns(streamId: string, now: number): boolean {
    return (this.#byStreamId.get(streamId)?.count(now) ?? 0) >= turns;
  }

  forget(streamId: string): void {
    this.#byStreamId.delete(streamId);
  }
}
