import type { TLSSocket } from 'node:tls';

/** The most that is encrypted at once: several records (16 KiB, RFC 8446 §5.1), since each round takes a turn of the event loop. */
const pieceBytes = 64 * 1024;

interface Chunk {
  chunk: Buffer | string;
  encoding: BufferEncoding;
}

type Done = (error?: Error | null) => void;

/**
 * From now on, encrypts writes to this connection piece by piece, each once the operating system has taken the one before.
 *
 * Node encrypts a write at once, however long it is, and keeps the result in native memory until the client reads it (`TLSWrap::DoWrite`
 * in Node's `src/crypto/crypto_tls.cc`). Answers that share their media with others would each hold a copy.
 */
export function paceWrites(socket: TLSSocket): void {
  const write = socket._write.bind(socket);
  const pace = (chunks: readonly Chunk[], done: Done) => {
    const pieces = divide(chunks);
    const writeNext: Done = (error) => {
      const piece = error ? undefined : pieces.next().value;
      if (piece === undefined) done(error);
      // Node's streams use this encoding for bytes; its types lack it.
      else write(piece, 'buffer' as BufferEncoding, writeNext);
    };
    writeNext();
  };
  socket._write = (chunk, encoding, done) => pace([{ chunk, encoding }], done);
  socket._writev = pace;
}

/** The bytes of these chunks in pieces of one size, the last one smaller. Only a piece of more than one chunk is a copy. */
function* divide(chunks: readonly Chunk[]): Generator<Buffer, undefined> {
  let views: Buffer[] = [];
  let sizeBytes = 0;
  for (const { chunk, encoding } of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    for (let start = 0; start < bytes.length; ) {
      const view = bytes.subarray(start, start + pieceBytes - sizeBytes);
      views.push(view);
      start += view.length;
      sizeBytes += view.length;
      if (sizeBytes < pieceBytes) continue;
      yield join(views);
      views = [];
      sizeBytes = 0;
    }
  }
  if (sizeBytes > 0) yield join(views);
}

function join(views: readonly Buffer[]): Buffer {
  const [only, ...others] = views;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(views);
}
