/** Anything larger is not a JPEG. */
const maxBytes = 1024 * 1024;

/**
 * Splits a stream of concatenated JPEGs. Each ends with the marker EOI (ITU-T T.81, table B.1): a byte FF of the
 * picture itself is always followed by 00 or a restart marker.
 */
export class JpegReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The JPEGs that these bytes complete. */
  push(bytes: Buffer): Buffer[] {
    let rest = Buffer.concat([this.#rest, bytes]);
    const complete: Buffer[] = [];
    for (;;) {
      const end = rest.indexOf(endOfImage);
      if (end < 0) break;
      complete.push(rest.subarray(0, end + endOfImage.length));
      rest = rest.subarray(end + endOfImage.length);
    }
    this.#rest = rest.length > maxBytes ? Buffer.alloc(0) : rest;
    return complete;
  }
}

const endOfImage = Buffer.from([0xff, 0xd9]);
