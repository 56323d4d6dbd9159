import type { EventSource } from '../lib/event-source.ts';

/** A stream, one of its sessions or its counters has changed: read it again. */
export interface StreamChange {
  kind: 'created' | 'changed' | 'deleted';
  streamId: string;
}

/** The event source of these changes. */
export type StreamNews = EventSource<StreamChange>;
