import type { StreamView } from '../../shared/model/views.ts';
import { type AirStatus, type AirTone, describeAir, noContact, offAir, pickMostUrgent } from './air-status.ts';

/** The streams that a place is about, and what is known of them. */
export interface StreamsAround {
  streams: StreamView[];
  /** All of them are known. */
  isComplete: boolean;
  /** Their service doesn't answer: what it last said may be over. */
  isUnheard: boolean;
}

/** What is shown in a place that isn't about one stream: a stream, a state that holds for all, or that nothing is known yet. */
export type AirSummary =
  | { kind: 'stream'; stream: StreamView }
  | { kind: 'status'; status: AirStatus }
  | { kind: 'nothing-known' };

/** The colour of what is shown; undefined until something is known. */
export function toneOf(shown: AirSummary): AirTone | undefined {
  if (shown.kind === 'nothing-known') return undefined;
  return shown.kind === 'status' ? shown.status.tone : describeAir(shown.stream).tone;
}

/** A stream on air or in trouble first. Nothing is called off air that may be on air. */
export function summarizeAir({ streams, isComplete, isUnheard }: StreamsAround): AirSummary {
  const first = pickMostUrgent(streams);
  if (first !== undefined && first.status.kind !== 'lost') return { kind: 'stream', stream: first.stream };
  if (isUnheard) return { kind: 'status', status: noContact };
  if (!isComplete) return { kind: 'nothing-known' };
  return first === undefined ? { kind: 'status', status: offAir } : { kind: 'stream', stream: first.stream };
}
