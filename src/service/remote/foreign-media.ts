import type { OneClickState } from '../../shared/model/live.ts';
import { countedWithinMs } from './remote-health.ts';
import type { RemoteAnswer } from './remote-progress.ts';

/** The service may count one of our segments late, but not two. */
const foreignMoves = 2;

/**
 * Judges whose broadcast a service has once one click has lost its ingest, failed or was stopped: another program may have taken over.
 * Times are those of `Clock.monotonicMs`.
 */
export class ForeignMedia {
  #wasSent = false;
  #lostAtMs: number | undefined;
  /** One click tries its ingest again: an attempt of ours may begin a session, too. */
  #isRetrying = false;
  /** The id of the session that was active when we last sent. */
  #ours: string | undefined;
  /** Another one has been active since. */
  #isNewSession = false;
  #last: { counters: string; atMs: number } | undefined;
  /** How often the counters have moved since our last media should have been counted. */
  #moves = 0;

  /** Call at every change of the one click. */
  follow({ kind }: OneClickState, nowMs: number): void {
    this.#isRetrying = kind === 'retrying';
    if (kind === 'starting') this.#ours = undefined;
    if (kind !== 'starting' && kind !== 'running') {
      this.#lostAtMs ??= nowMs;
      return;
    }
    this.#wasSent = kind === 'running';
    this.#lostAtMs = undefined;
    this.#moves = 0;
    this.#isNewSession = false;
  }

  /** Takes the service's answer. `lastSeen` doesn't prove media: a service may update it while it waits for us. */
  note({ stream, session }: RemoteAnswer, nowMs: number): void {
    const counters = [stream.sourceSegments, stream.sourceSegmentsDuration, session?.sourceSegments].join(' ');
    const last = this.#last;
    this.#last = { counters, atMs: nowMs };
    const sessionId = session?.isActive === true ? session.id : undefined;
    if (this.#lostAtMs === undefined && this.#wasSent) this.#ours = sessionId ?? this.#ours;
    else if (!this.#isRetrying && this.#ours !== undefined && (sessionId ?? this.#ours) !== this.#ours)
      this.#isNewSession = true;
    if (last === undefined || last.counters === counters || this.#lostAtMs === undefined) return;
    if (last.atMs - this.#lostAtMs >= (this.#wasSent ? countedWithinMs : 0)) this.#moves += 1;
  }

  /** Whether a broadcast that is active is another program's; never while one click starts or sends. */
  get isOnAir(): boolean {
    return this.#lostAtMs !== undefined && (this.#isNewSession || this.#moves >= foreignMoves);
  }
}
