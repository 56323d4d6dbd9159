import { RecentSegments } from './recent-segments.ts';
import type { AnsweredSession, AnsweredStream } from './remote-answers.ts';

/** A stream is silent once none of its numbers has moved for this long. Services count segments, which may be several seconds long. */
const silentAfterMs = 10_000;

/** A service's last answer about a stream. */
export interface RemoteAnswer {
  stream: AnsweredStream;
  /** Its newest broadcast; undefined if it has none, or the service doesn't list them. */
  session: AnsweredSession | undefined;
}

/**
 * Follows whether a stream's numbers move, answer by answer. The service's clock is never compared with ours: a stream is silent if
 * `lastSeen` and its counters have not moved over several answers. Times are of `Clock.monotonicMs`.
 */
export class RemoteProgress {
  #numbers = '';
  #movedAtMs = 0;
  #activeSinceMs: number | undefined;
  #silentSinceMs: number | undefined;
  readonly #segments = new RecentSegments();

  /** When it was first seen active; undefined while it isn't. */
  get activeSinceMs(): number | undefined {
    return this.#activeSinceMs;
  }

  /** When its numbers last moved, if that is too long ago. */
  get silentSinceMs(): number | undefined {
    return this.#silentSinceMs;
  }

  /** When its numbers last moved. */
  get movedAtMs(): number {
    return this.#movedAtMs;
  }

  /** The segments that its newest session has gained lately. */
  get gained(): RecentSegments['gained'] {
    return this.#segments.gained;
  }

  note({ stream, session }: RemoteAnswer, nowMs: number): void {
    const { isActive, lastSeen, sourceSegments, sourceSegmentsDuration } = stream;
    const numbers = [isActive, lastSeen, sourceSegments, sourceSegmentsDuration, session?.sourceSegments].join(' ');
    if (numbers !== this.#numbers) this.#movedAtMs = nowMs;
    this.#numbers = numbers;
    this.#segments.note(session, nowMs);
    this.#activeSinceMs = isActive ? (this.#activeSinceMs ?? nowMs) : undefined;
    this.#silentSinceMs = isActive && nowMs - this.#movedAtMs >= silentAfterMs ? this.#movedAtMs : undefined;
  }
}
