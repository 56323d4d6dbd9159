import { formatAge } from '../format/age.ts';
import type { AirStatus } from './air-status.ts';

/** The state of a stream when its service last answered, and how long ago that was; undefined if it wasn't known then either. */
export function describeLastState({ kind, word }: AirStatus, answeredAtMs: number, nowMs: number): string | undefined {
  return kind === 'unknown' ? undefined : `was ${word.toLowerCase()} ${formatAge(answeredAtMs, nowMs)}`;
}
