import { randomUUID } from 'node:crypto';
import { randomAlphanumerics } from './random-text.ts';

/** Creates ids and keys; passed in so that tests can predict them. */
export interface NewIds {
  /** UUID version 4 (RFC 9562 §5.4). */
  id(): string;
  /** Four groups of four lowercase alphanumerics (Live Streaming Service Interface, "Stream object"). */
  streamKey(): string;
  /** 16 lowercase alphanumerics, independent of the key. */
  playbackId(): string;
}

/** Creates ids and keys from a cryptographic random source. */
export const randomIds: NewIds = {
  id: randomUUID,
  streamKey: () => [0, 0, 0, 0].map(() => randomAlphanumerics(4)).join('-'),
  playbackId: () => randomAlphanumerics(16),
};
