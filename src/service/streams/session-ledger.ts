import type { DatabaseSync } from 'node:sqlite';
import type { EndReason } from '../../shared/model/live.ts';
import type { Logger } from '../ports.ts';
import type { CounterDeltas, NextSequences, SessionTable } from '../store/session-table.ts';
import { inTransaction } from '../store/transaction.ts';
import type { NewIds } from './new-ids.ts';
import type { StreamChanges } from './stream-change.ts';
import { toMicroseconds } from './stream-object.ts';

/** What a broadcast has ingested and transcoded since it was last told: added to what is stored. */
export interface Progress {
  /** Epoch milliseconds. */
  lastSeen: number;
  sourceSegments?: number;
  sourceDurationSeconds?: number;
  transcodedSegments?: number;
  transcodedDurationSeconds?: number;
  /** The media and discontinuity sequence number the stream's next segment takes. */
  nextSequences?: NextSequences;
}

/** Keeps the sessions, counters and `lastSeen` of running broadcasts, on each session and on its stream. */
export interface SessionLedger {
  /** Stores a new session of the stream and makes both active. Called when the first segment is playable. */
  beginSession(streamId: string, at: number): { id: string };
  /** Adds to a session and its stream: readable at once, on disk with the next flush. */
  addProgress(sessionId: string, progress: Progress): void;
  /**
   * Adds renditions' segments that came out after their session had ended: the encoder is a little behind the source. They
   * make nothing active and move no `lastSeen`.
   */
  addLateTranscoded(session: { id: string; streamId: string }, segments: number, durationSeconds: number): void;
  /** Moves `lastSeen` alone. */
  touch(sessionId: string, lastSeen: number): void;
  /** Stores all that is pending and makes session and stream inactive. A session that has ended stays as it is. */
  endSession(sessionId: string, at: number, reason: EndReason): void;
  /** The numbers the stream's next segment takes; after a crash they may be behind by a flush. */
  getNextSequences(streamId: string): NextSequences;
  /** What is not on disk yet of a stream or session. */
  findPending(id: string): CounterDeltas | undefined;
  /** Writes what is pending in one transaction; when that fails it stays pending, and the failure is thrown. */
  flush(): void;
  /** Flushes a last time and stops the timer. */
  close(): void;
}

/** Below 5 s, the most that a crash may lose; one transaction for all streams, since each waits for the disk. */
const defaultFlushIntervalMs = 2_000;

/** Opens the ledger. What a crash left active is healed first: its sessions ended as `ingest-lost`, its streams inactive. */
export function openSessionLedger({
  db,
  sessions,
  changes,
  newIds,
  log,
  flushIntervalMs = defaultFlushIntervalMs,
}: {
  db: DatabaseSync;
  sessions: SessionTable;
  changes: StreamChanges;
  newIds: NewIds;
  log: Logger;
  flushIntervalMs?: number;
}): SessionLedger {
  const healed = inTransaction(db, () => sessions.healActive('ingest-lost' satisfies EndReason));
  if (healed > 0) log.warn({ healed }, 'The last run ended without closing: streams it left active are inactive now.');

  /** The stream of each session that this process began and has not ended. */
  const running = new Map<string, string>();
  const pending = new Map<string, CounterDeltas>();
  const pendingSequences = new Map<string, NextSequences>();

  const add = (id: string, progress: Progress) => {
    const sum = pending.get(id) ?? emptyDeltas();
    sum.lastSeen = Math.max(sum.lastSeen, progress.lastSeen);
    sum.sourceSegments += progress.sourceSegments ?? 0;
    sum.sourceDurationUs += toMicroseconds(progress.sourceDurationSeconds ?? 0);
    sum.transcodedSegments += progress.transcodedSegments ?? 0;
    sum.transcodedDurationUs += toMicroseconds(progress.transcodedDurationSeconds ?? 0);
    pending.set(id, sum);
  };

  const writePending = () => {
    for (const [id, deltas] of pending) sessions.add(id, deltas);
    for (const [streamId, next] of pendingSequences) sessions.setNextSequences(streamId, next);
  };
  /** Writes what is pending together with `more`, all or nothing. */
  const write = (more: () => void) => {
    inTransaction(db, () => {
      writePending();
      more();
    });
    pending.clear();
    pendingSequences.clear();
  };
  const flush = () => {
    if (pending.size > 0 || pendingSequences.size > 0) write(() => {});
  };

  const timer = setInterval(() => {
    try {
      flush();
    } catch (error) {
      log.error({ err: error }, 'The store cannot be written: counters wait in memory.');
    }
  }, flushIntervalMs).unref();

  return {
    beginSession(streamId, at) {
      const id = newIds.id();
      write(() => sessions.begin({ id, parentId: streamId, at }));
      running.set(id, streamId);
      changes.emit({ kind: 'changed', streamId });
      return { id };
    },
    addProgress(sessionId, progress) {
      const streamId = running.get(sessionId);
      if (streamId === undefined) return;
      add(sessionId, progress);
      add(streamId, progress);
      if (progress.nextSequences !== undefined) pendingSequences.set(streamId, progress.nextSequences);
      changes.emit({ kind: 'changed', streamId });
    },
    addLateTranscoded({ id, streamId }, segments, durationSeconds) {
      sessions.addTranscoded(id, segments, toMicroseconds(durationSeconds));
      changes.emit({ kind: 'changed', streamId });
    },
    touch(sessionId, lastSeen) {
      this.addProgress(sessionId, { lastSeen });
    },
    endSession(sessionId, at, reason) {
      const streamId = running.get(sessionId);
      if (streamId === undefined) return;
      write(() => sessions.end({ id: sessionId, at, reason }));
      running.delete(sessionId);
      changes.emit({ kind: 'changed', streamId });
    },
    getNextSequences: (streamId) =>
      pendingSequences.get(streamId) ??
      sessions.findNextSequences(streamId) ?? { nextMediaSequence: 0, nextDiscontinuitySequence: 0 },
    findPending: (id) => pending.get(id),
    flush,
    close() {
      clearInterval(timer);
      flush();
    },
  };
}

function emptyDeltas(): CounterDeltas {
  return { lastSeen: 0, sourceSegments: 0, sourceDurationUs: 0, transcodedSegments: 0, transcodedDurationUs: 0 };
}
