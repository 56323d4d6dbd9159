import type { Profile } from '../../shared/model/profile.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { NextSequences } from '../store/session-table.ts';
import type { EndCause } from '../streams/end-cause.ts';
import type { SessionLedger } from '../streams/session-ledger.ts';
import type { SessionMedia, StreamMedia } from './stream-media.ts';

/** The part of the ledger that a session writes. */
export type LiveSessionLedger = Pick<SessionLedger, 'beginSession' | 'addProgress' | 'addLateTranscoded' | 'endSession'>;

export interface LiveSessionOptions {
  streamId: string;
  profiles: readonly Profile[];
  media: StreamMedia;
  ledger: LiveSessionLedger;
}

/** A session of a stream, from its first publisher to its end: its media and its counters. Single use. */
export class LiveSession {
  readonly media: SessionMedia;
  readonly #options: LiveSessionOptions;
  #sessionId: string | undefined;
  #segments = 0;
  #ended = false;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
    this.media = options.media.startSession(options.profiles, (segment) => this.#countTranscoded(segment));
  }

  /** Segments of its source so far. */
  get segments(): number {
    return this.#segments;
  }

  /** Its id, from its first playable segment on. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Its first segment is playable: from now on it is in the ledger. */
  begin(now: number): void {
    this.media.begin();
    this.#sessionId = this.#options.ledger.beginSession(this.#options.streamId, now, this.#nextSequences).id;
  }

  /** Its publisher was last seen at `lastSeen`, epoch milliseconds. */
  see(lastSeen: number): void {
    if (this.#sessionId !== undefined) this.#options.ledger.addProgress(this.#sessionId, { lastSeen });
  }

  /** `lastSeen` is when its media came: the last segment of a silent publisher is closed long after. */
  countSource({ durationSeconds }: PackagedSegment, lastSeen: number): void {
    if (this.#sessionId === undefined) return;
    this.#segments += 1;
    this.#options.ledger.addProgress(this.#sessionId, {
      lastSeen,
      sourceSegments: 1,
      sourceDurationSeconds: durationSeconds,
      nextSequences: this.#nextSequences,
    });
  }

  /** Ends the session. Resolves when its renditions, which are a little behind, are done. Never rejects. */
  async end(now: number, end: EndCause): Promise<void> {
    this.#ended = true;
    const id = this.#sessionId;
    if (id !== undefined) runHarmlessly(() => this.#options.ledger.endSession(id, now, end), 'the end of a session');
    await this.media.end();
  }

  get #nextSequences(): NextSequences {
    const { nextMediaSequence, discontinuitySequence } = this.#options.media.sourceStore;
    return { nextMediaSequence, nextDiscontinuitySequence: discontinuitySequence };
  }

  #countTranscoded({ durationSeconds }: PackagedSegment): void {
    const { ledger, streamId } = this.#options;
    const id = this.#sessionId;
    if (id === undefined) return;
    if (this.#ended) ledger.addLateTranscoded({ id, streamId }, durationSeconds);
    else ledger.addProgress(id, { transcodedSegments: 1, transcodedDurationSeconds: durationSeconds });
  }
}
