import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A playlist's text as bytes, shared by all who ask for it until it changes. */
export class SharedText {
  readonly bytes: Buffer;
  /** Weak, since it names the compressed bytes too (RFC 9110 §8.8.3). */
  readonly etag: string;
  #gzipped: Buffer | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.etag = `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`;
  }

  /** Compressed at the first request, once. */
  get gzipped(): Buffer {
    this.#gzipped ??= gzipSync(this.bytes);
    return this.#gzipped;
  }
}
