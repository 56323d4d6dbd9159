import { RecentGrowth } from '../lib/recent-growth.ts';
import type { RemoteSession } from './remote-answers.ts';

/** Long enough for a dozen segments of 10 s. */
export const recentSegmentsMs = 120_000;

/** How many segments a session's counters have gained lately: what went wrong an hour ago is over. */
export class RecentSegments {
  #sessionId: string | undefined;
  #source = new RecentGrowth(recentSegmentsMs);
  #transcoded = new RecentGrowth(recentSegmentsMs);
  #notedAtMs = 0;

  /** Takes what the service has answered at `atMs`, of `Clock.monotonicMs`. */
  note(session: RemoteSession | undefined, atMs: number): void {
    if (session?.id !== this.#sessionId) {
      this.#source = new RecentGrowth(recentSegmentsMs);
      this.#transcoded = new RecentGrowth(recentSegmentsMs);
    }
    this.#sessionId = session?.id;
    this.#source.note(session?.sourceSegments ?? 0, atMs);
    this.#transcoded.note(session?.transcodedSegments ?? 0, atMs);
    this.#notedAtMs = atMs;
  }

  /** Segments gained in the last two minutes before the newest answer, or since the session was first seen, `forMs` before it. */
  get gained(): { source: number; transcoded: number; forMs: number } {
    const { gained: source, forMs } = this.#source.read(this.#notedAtMs);
    return { source, transcoded: this.#transcoded.read(this.#notedAtMs).gained, forMs };
  }
}
