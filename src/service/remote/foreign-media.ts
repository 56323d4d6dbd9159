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
  /** The id of the last session that we may have begun; undefined until the service has answered since we began to send. */
  #ours: string | undefined;
  /** Another one has been active since our last attempt. */
  #isNewSession = false;
  #last: { counters: string; atMs: number } | undefined;
  /** How often the counters have moved since our last media should have been counted. */
  #moves = 0;

  /** Call at every change of the one click. */
  follow({ kind }: OneClickState, nowMs: number): void {
    this.#isRetrying = kind === 'retrying';
    if (kind !== 'starting' && kind !== 'running') {
      this.#lostAtMs ??= nowMs;
      return;
    }
    // A service may begin a session for each connection.
    if (this.#lostAtMs !== undefined) this.#ours = undefined;
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
    if (session?.isActive === true) this.#noteSession(session.id);
    if (last === undefined || last.counters === counters || this.#lostAtMs === undefined) return;
    if (last.atMs - this.#lostAtMs >= (this.#wasSent ? countedWithinMs : 0)) this.#moves += 1;
  }

  #noteSession(id: string): void {
    if (this.#isRetrying || (this.#lostAtMs === undefined && this.#wasSent)) this.#ours = id;
    else if (this.#ours !== undefined && this.#ours !== id) this.#isNewSession = true;
  }

  /** Whether a broadcast that is active is another program's; never while one click starts or sends. */
  get isOnAir(): boolean {
    return this.#lostAtMs !== undefined && (this.#isNewSession || this.#moves >= foreignMoves);
  }
}
