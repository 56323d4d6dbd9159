import { ServiceError } from '../../shared/errors.ts';
import type { AirState } from '../../shared/model/live.ts';

/** This much sound ends the silence. A cough or a click in a silent show is less. */
const soundReturnsMs = 10_000;

/** A broadcast at one moment: its session, and how much sound its publisher has sent, in milliseconds. */
export interface HeardSession {
  sessionId: string;
  heardMs: number;
}

/** The session of this air state; undefined while none is on air. */
export function heardSession(air: AirState, heardMs: number): HeardSession | undefined {
  return air.kind === 'on-air' ? { sessionId: air.sessionId, heardMs } : undefined;
}

/** As {@link heardSession}. @throws {ServiceError} OFF_AIR */
export function getHeardSession(air: AirState, heardMs: number): HeardSession {
  const session = heardSession(air, heardMs);
  if (session === undefined) throw new ServiceError('OFF_AIR', 'The stream is off air, so it has no sound.');
  return session;
}

/**
 * The silences that owners have said are intended, by stream. Each holds for its broadcast until that has had sound for 10 s:
 * muting the sound later counts as a mistake again.
 */
export class MeantSilences {
  readonly #byStreamId = new Map<string, HeardSession>();

  accept(streamId: string, session: HeardSession): void {
    this.#byStreamId.set(streamId, session);
  }

  /** Whether the stream's silence is intended now. Forgets it once it no longer holds. */
  holds(streamId: string, session: HeardSession | undefined): boolean {
    const accepted = this.#byStreamId.get(streamId);
    if (accepted === undefined) return false;
    const isSame = session?.sessionId === accepted.sessionId;
    // Less sound than before means that another publisher has taken over: all of its sound counts.
    const fromMs = session && session.heardMs < accepted.heardMs ? 0 : accepted.heardMs;
    if (isSame && session.heardMs - fromMs < soundReturnsMs) {
      // While nobody sends, nothing is heard; the same publisher may continue.
      if (session.heardMs > 0) this.accept(streamId, { ...accepted, heardMs: fromMs });
      return true;
    }
    // While it is unknown which broadcast is on air, such as between two publishers, it may be the same.
    if (session !== undefined) this.#byStreamId.delete(streamId);
    return false;
  }
}
