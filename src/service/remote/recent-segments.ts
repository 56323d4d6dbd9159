import { RecentGrowth } from '../lib/recent-growth.ts';
import type { AnsweredSession } from './remote-answers.ts';

/** Long enough for a dozen segments of 10 s. */
const recentMs = 120_000;

/** How many segments a session's counters have gained lately, since an hour-old problem is over. */
export class RecentSegments {
  #sessionId: string | undefined;
  #source = new RecentGrowth(recentMs);
  #transcoded = new RecentGrowth(recentMs);
  #firstAtMs = 0;
  #notedAtMs = 0;

  /** Takes the service's answer of `atMs`, by `Clock.monotonicMs`. */
  note(session: AnsweredSession | undefined, atMs: number): void {
    if (session?.id !== this.#sessionId) {
      this.#firstAtMs = atMs;
      this.#source = new RecentGrowth(recentMs);
      this.#transcoded = new RecentGrowth(recentMs);
    }
    this.#sessionId = session?.id;
    this.#source.note(session?.sourceSegments ?? 0, atMs);
    this.#transcoded.note(session?.transcodedSegments ?? 0, atMs);
    this.#notedAtMs = atMs;
  }

  /**
   * Segments gained in the two minutes before the newest answer, or since the session was first seen. `sinceFirstMs` is the time
   * from the first sight of the session to that answer.
   */
  get gained(): { source: number; transcoded: number; sinceFirstMs: number } {
    const gain = (growth: RecentGrowth) => growth.read(this.#notedAtMs);
    return {
      source: gain(this.#source),
      transcoded: gain(this.#transcoded),
      sinceFirstMs: this.#notedAtMs - this.#firstAtMs,
    };
  }
}
