import type { Profile } from '../../shared/model/profile.ts';
import type { Session } from '../../shared/model/session.ts';
import type { Stream } from '../../shared/model/stream.ts';
import type { StreamRow } from '../store/stream-table.ts';

/** A stream without its stream key, for when the key was not asked for. */
export type KeylessStream = Omit<Stream, 'streamKey'>;

const microsecondsPerSecond = 1_000_000;

/** Converts seconds to whole microseconds, so that sums over thousands of segments have no floating-point error. */
export function toMicroseconds(seconds: number): number {
  return Math.round(seconds * microsecondsPerSecond);
}

/** A stored stream as shown in the interface, without its key. Properties that were never set are absent. */
export function formatStream(row: StreamRow, userId: string): KeylessStream {
  return {
    ...formatCommon(row, userId),
    playbackId: row.playbackId ?? '',
    ...(row.record !== null && { record: row.record === 1 }),
    ...(row.suspended !== null && { suspended: row.suspended === 1 }),
    ...(row.multistream !== null && { multistream: JSON.parse(row.multistream) as NonNullable<Stream['multistream']> }),
  };
}

/** A stored session as shown in the interface. */
export function formatSession(row: StreamRow, userId: string): Session {
  return {
    ...formatCommon(row, userId),
    parentId: row.parentId ?? '',
    ...(row.record !== null && { record: row.record === 1 }),
  };
}

function formatCommon(row: StreamRow, userId: string) {
  return {
    id: row.id,
    kind: 'stream' as const,
    name: row.name,
    ...(row.profiles !== null && { profiles: JSON.parse(row.profiles) as Profile[] }),
    createdAt: row.createdAt,
    ...(row.createdByTokenName !== null && { createdByTokenName: row.createdByTokenName }),
    isActive: row.isActive === 1,
    lastSeen: row.lastSeen,
    sourceSegments: row.sourceSegments,
    sourceSegmentsDuration: row.sourceDurationUs / microsecondsPerSecond,
    transcodedSegments: row.transcodedSegments,
    transcodedSegmentsDuration: row.transcodedDurationUs / microsecondsPerSecond,
    userID: userId,
    userId,
  };
}
