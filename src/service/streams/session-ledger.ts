import { runHarmlessly } from '../lib/faults.ts';
import { monotonicAt } from '../lib/system-clock.ts';
import type { Clock, Logger } from '../ports.ts';
import type { CounterDeltas, NextSequences, SessionTable } from '../store/session-table.ts';
import type { StoreWriter } from '../store/store-writer.ts';
import type { StreamRow, StreamTable } from '../store/stream-table.ts';
import { type EndCause, formatEndedBy } from './end-cause.ts';
import type { NewIds } from './new-ids.ts';
import type { StreamNews } from './stream-change.ts';
import { toMicroseconds } from './stream-object.ts';
import { UnwrittenSessions } from './unwritten-sessions.ts';

/** How much a session has ingested and transcoded since the last call; added to the stored counters. */
export interface Progress {
  /** Unix milliseconds; absent if unchanged. Replaces the last report, even a later one: the clock may have been set back. */
  lastSeen?: number;
  sourceSegments?: number;
  sourceDurationSeconds?: number;
  transcodedSegments?: number;
  transcodedDurationSeconds?: number;
  /** The media and discontinuity sequence numbers of the stream's next segment. */
  nextSequences?: NextSequences;
}

/** The numbers of a stream's next segment, as far as they are known. */
export interface StreamSequences extends NextSequences {
  /**
   * Whether the stream was created in this run: then players have seen no numbers but these. Else an earlier run may have left
   * some unstored.
   */
  isNew: boolean;
}

/**
 * Keeps the sessions, counters and `lastSeen` of running broadcasts, for each session and its stream.
 *
 * Everything is readable at once and written as soon as the store accepts it. None of these calls waits for the store or fails.
 */
export interface SessionLedger {
  /**
   * Begins a new session of the stream; both become active. Call it when the first segment is playable, with the numbers of the next one:
   * they are stored at once, so that no later run begins with those of this segment.
   */
  beginSession(streamId: string, at: number, nextSequences?: NextSequences): { id: string };
  /** Adds to the counters of a session and its stream. */
  addProgress(sessionId: string, progress: Progress): void;
  /**
   * Adds a rendition's segment that was finished after its session ended, because the ladder lags behind the source. Changes
   * neither the activity nor `lastSeen`.
   */
  addLateTranscoded(session: { id: string; streamId: string }, durationSeconds: number): void;
  /** Makes the session and its stream inactive. Does nothing if the session has already ended. */
  endSession(sessionId: string, at: number, end: EndCause): void;
  /** The stream's last session, if it ended unintentionally and the owner has not dismissed that. */
  findLost(streamId: string): string | undefined;
  dismissLost(streamId: string): void;
  getNextSequences(streamId: string): StreamSequences;
  /** Until when a stream or session is active unless it is seen again, by `Clock.monotonicMs`; undefined if it has no session. */
  activeUntilMs(id: string): number | undefined;
  /** The streams and sessions that are currently active. */
  activeIds(): string[];
  /** The row of a session that is not stored yet. */
  findUnwritten(id: string): StreamRow | undefined;
  /** The rows of sessions that are not stored yet, newest first. */
  listUnwritten(): StreamRow[];
  /** A stored row with the unwritten changes applied, and whether it is active now. */
  update(row: StreamRow): StreamRow;
  /** Stores and reports streams and sessions that have become stale since the last call as inactive. Called by timer. */
  noteStale(): void;
  /** Stops the timer. */
  close(): void;
}

/** A running stream or session that has not been seen for this long is inactive. */
const staleAfterMs = 90_000;
const staleCheckMs = 2_000;

/**
 * Opens the ledger. First repairs the store after a crash: ends open sessions as `service-crashed` and makes their streams
 * inactive.
 */
export function openSessionLedger({
  sessions,
  streams,
  writer,
  changes,
  clock,
  newIds,
  log,
}: {
  sessions: SessionTable;
  streams: Pick<StreamTable, 'find'>;
  writer: StoreWriter;
  changes: StreamNews;
  clock: Clock;
  newIds: NewIds;
  log: Logger;
}): SessionLedger {
  /** The sessions that this process has begun and not ended, in `Clock.monotonicMs`; nothing else is ever active. */
  const running = new Map<string, { streamId: string; beganAtMs: number; seenAtMs: number; isStale: boolean }>();
  const sessionOf = new Map<string, string>();
  /** Streams with a lower `seq` are of earlier runs: it is never given twice. */
  const firstSeq = sessions.nextSeq();
  const activeUntilMs = (id: string): number | undefined => {
    const session = running.get(id) ?? running.get(sessionOf.get(id) ?? '');
    return session && session.seenAtMs + staleAfterMs;
  };
  const isActive = (id: string): boolean => clock.monotonicMs() <= (activeUntilMs(id) ?? Number.NEGATIVE_INFINITY);
  const unwritten = new UnwrittenSessions(sessions, {
    isActive,
    onHealed: ({ healed, lostStreamIds }) => {
      log.warn({ healed }, 'The last run did not close properly. Streams that it left active are now inactive.');
      for (const streamId of lostStreamIds) changes.emit({ kind: 'changed', streamId });
    },
  });
  writer.add(unwritten);
  writer.flush();

  /** The session's future row; undefined if the store cannot be read, until the session is written. */
  const makeRow = (id: string, streamId: string, at: number): StreamRow | undefined => {
    try {
      const stream = streams.find(streamId);
      return stream && makeSessionRow(stream, { id, at, seq: unwritten.nextSeq() });
    } catch (error) {
      log.error({ err: error, streamId }, 'The store could not be read when a session began.');
      return undefined;
    }
  };
  const addProgress = (sessionId: string, progress: Progress) => {
    const session = running.get(sessionId);
    if (session === undefined) return;
    const { streamId } = session;
    const { lastSeen } = progress;
    const deltas: Partial<CounterDeltas> = {
      ...(lastSeen !== undefined && { lastSeen }),
      sourceSegments: progress.sourceSegments ?? 0,
      sourceDurationUs: toMicroseconds(progress.sourceDurationSeconds ?? 0),
      transcodedSegments: progress.transcodedSegments ?? 0,
      transcodedDurationUs: toMicroseconds(progress.transcodedDurationSeconds ?? 0),
    };
    if (lastSeen !== undefined) session.seenAtMs = Math.max(session.seenAtMs, monotonicAt(clock, lastSeen));
    unwritten.add(sessionId, { ...deltas, lastedMs: session.seenAtMs - session.beganAtMs });
    unwritten.add(streamId, deltas);
    if (progress.nextSequences !== undefined) unwritten.setNextSequences(streamId, progress.nextSequences);
    changes.emit({ kind: 'changed', streamId });
  };
  const noteStale = () => {
    for (const [id, session] of running) {
      const isStale = !isActive(id);
      if (isStale === session.isStale) continue;
      session.isStale = isStale;
      for (const each of [id, session.streamId]) unwritten.add(each, {});
      changes.emit({ kind: 'changed', streamId: session.streamId });
    }
  };
  const timer = setInterval(() => runHarmlessly(noteStale, 'looking for stale streams'), staleCheckMs).unref();

  return {
    beginSession(streamId, at, nextSequences) {
      const id = newIds.id();
      unwritten.begin({ id, parentId: streamId, at, row: makeRow(id, streamId, at) });
      if (nextSequences !== undefined) unwritten.setNextSequences(streamId, nextSequences);
      const beganAtMs = monotonicAt(clock, at);
      running.set(id, { streamId, beganAtMs, seenAtMs: beganAtMs, isStale: false });
      sessionOf.set(streamId, id);
      writer.flush();
      changes.emit({ kind: 'changed', streamId });
      return { id };
    },
    addProgress,
    addLateTranscoded({ id, streamId }, durationSeconds) {
      const deltas = { transcodedSegments: 1, transcodedDurationUs: toMicroseconds(durationSeconds) };
      unwritten.add(id, deltas);
      unwritten.add(streamId, deltas);
      changes.emit({ kind: 'changed', streamId });
    },
    endSession(sessionId, at, end) {
      const session = running.get(sessionId);
      if (session === undefined) return;
      const { streamId, beganAtMs, seenAtMs } = session;
      running.delete(sessionId);
      if (sessionOf.get(streamId) === sessionId) sessionOf.delete(streamId);
      const endedAtMs = monotonicAt(clock, at);
      unwritten.end(sessionId, streamId, {
        at,
        reason: end.reason,
        by: formatEndedBy(end),
        lastedMs: Math.max(0, endedAtMs - beganAtMs),
        goneMs: Math.max(0, endedAtMs - seenAtMs),
      });
      writer.flush();
      changes.emit({ kind: 'changed', streamId });
    },
    findLost: (streamId) => unwritten.findLost(streamId),
    dismissLost(streamId) {
      unwritten.setLost(streamId, null);
      changes.emit({ kind: 'changed', streamId });
    },
    getNextSequences(streamId) {
      const stream = streams.find(streamId);
      const known = unwritten.findNextSequences(streamId) ?? stream;
      return {
        nextMediaSequence: known?.nextMediaSequence ?? 0,
        nextDiscontinuitySequence: known?.nextDiscontinuitySequence ?? 0,
        isNew: stream !== undefined && stream.seq >= firstSeq,
      };
    },
    activeUntilMs,
    activeIds: () => [...running.keys(), ...sessionOf.keys()].filter(isActive),
    findUnwritten: (id) => unwritten.findBegun(id),
    listUnwritten: () => unwritten.listBegun(),
    update: (row) => ({ ...unwritten.addTo(row), isActive: Number(isActive(row.id)) }),
    noteStale,
    close: () => clearInterval(timer),
  };
}

/** A session's row, as `SessionTable.begin` stores it. */
function makeSessionRow(stream: StreamRow, { id, at, seq }: { id: string; at: number; seq: number }): StreamRow {
  return {
    seq,
    id,
    parentId: stream.id,
    name: stream.name,
    profiles: stream.profiles,
    record: stream.record,
    suspended: null,
    multistream: null,
    createdAt: at,
    createdByTokenName: stream.createdByTokenName,
    isActive: 1,
    lastSeen: at,
    sourceSegments: 0,
    sourceDurationUs: 0,
    transcodedSegments: 0,
    transcodedDurationUs: 0,
    playbackId: null,
    sealedKey: null,
    keyHash: null,
    nextMediaSequence: 0,
    nextDiscontinuitySequence: 0,
    endedAt: null,
    endReason: null,
    endedBy: null,
    lastedMs: null,
    goneMs: null,
  };
}
