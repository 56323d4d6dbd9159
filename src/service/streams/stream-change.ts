import type { EventSource } from '../lib/event-source.ts';

/** What listeners are told when a stream, one of its sessions or its counters changed: read it again. */
export interface StreamChange {
  kind: 'created' | 'changed' | 'deleted';
  streamId: string;
}

/** Where the streams and the ledger tell their changes, and screens listen. */
export type StreamChanges = EventSource<StreamChange>;
