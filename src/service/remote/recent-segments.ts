import type { RemoteSession } from './remote-answers.ts';

/** Long enough for a dozen segments of 10 s. */
export const recentSegmentsMs = 120_000;
/** Polls are a second or more apart. */
const stepMs = 1_000;

interface Count {
  atMs: number;
  source: number;
  transcoded: number;
}

/** How many segments a session's counters have gained lately: what went wrong an hour ago is over. */
export class RecentSegments {
  #sessionId: string | undefined;
  #counts: readonly Count[] = [];

  /** Takes what the service has answered at `atMs`, of `Clock.monotonicMs`. */
  note(session: RemoteSession | undefined, atMs: number): void {
    const count = { atMs, source: session?.sourceSegments ?? 0, transcoded: session?.transcodedSegments ?? 0 };
    const last = this.#counts.at(-1);
    const isSame = session?.id === this.#sessionId && last !== undefined && last.source <= count.source;
    this.#sessionId = session?.id;
    if (!isSame) this.#counts = [count];
    else if (atMs - last.atMs >= stepMs) {
      // The newest one that is as old as the time looked at is what is counted from.
      const from = this.#counts.findLastIndex((each) => atMs - each.atMs >= recentSegmentsMs);
      this.#counts = [...this.#counts.slice(Math.max(from, 0)), count];
    }
  }

  /** Segments gained in the last two minutes, or since it was first seen, `forMs` ago. */
  get gained(): { source: number; transcoded: number; forMs: number } {
    const [first, last] = [this.#counts[0], this.#counts.at(-1)];
    if (first === undefined || last === undefined) return { source: 0, transcoded: 0, forMs: 0 };
    return {
      source: last.source - first.source,
      transcoded: last.transcoded - first.transcoded,
      forMs: last.atMs - first.atMs,
    };
  }
}
