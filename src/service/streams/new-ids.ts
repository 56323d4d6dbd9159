import { randomUUID } from 'node:crypto';
import { randomAlphanumerics } from './random-text.ts';

/** Makes the names of new things; passed in so that tests know them. */
export interface NewIds {
  /** UUID version 4 (RFC 9562 §5.4). */
  id(): string;
  /** Four groups of four lowercase alphanumerics (Live Streaming Service Interface, "Stream object"). */
  streamKey(): string;
  /** 16 lowercase alphanumerics, drawn apart from the key. */
  playbackId(): string;
}

/** Ids from a cryptographic source. */
export const randomIds: NewIds = {
  id: randomUUID,
  streamKey: () => [0, 0, 0, 0].map(() => randomAlphanumerics(4)).join('-'),
  playbackId: () => randomAlphanumerics(16),
};
