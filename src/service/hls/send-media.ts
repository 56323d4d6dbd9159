import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { sliceBuffers } from '../lib/slice-buffers.ts';
import { mediaBlocks } from '../media/media-blocks.ts';
import { parseByteRange } from './byte-range.ts';
import { matchesEtag } from './conditional.ts';

// The media behind a segment's URL never changes: caches may keep it for a year (RFC 9111 §5.2.2.1).
const segmentCaching = 'public, max-age=31536000, immutable';

interface MediaHead {
  etag: string;
  type: string;
}

/** Which bytes to send; undefined if the answer, 304 or 416, has been sent. `end` is exclusive. */
type Wanted = { start: number; end: number } | undefined;

/** The segment was never there, or has left the window. */
export function segmentGone(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This segment does not exist or is no longer available.');
}

/** Sends bytes from memory without a copy: a range is a view, a segment is its parts one after another. */
export function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  { buffers, ...head }: MediaHead & { buffers: readonly Buffer[] },
): FastifyReply {
  const wanted = answerHead(request, reply, { ...head, sizeBytes: buffers.reduce((sum, { length }) => sum + length, 0) });
  if (wanted === undefined) return reply;
  const slices = sliceBuffers(buffers, wanted.start, wanted.end);
  // Hold the memory until the system has taken all of it, or the connection is gone.
  reply.raw.once('close', mediaBlocks.hold(slices));
  const [only, ...others] = slices;
  if (only !== undefined && others.length === 0) return reply.send(only);
  return sendSlices(reply, slices);
}

/** Writes all at once: a stream would read and write them one by one, at twice the cost. An answer to HEAD needs none. */
function sendSlices(reply: FastifyReply, slices: readonly Buffer[]): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  raw.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.cork();
  for (const slice of slices) raw.write(slice);
  raw.end();
  return reply;
}

/** Sends a segment from disk. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, ...head }: MediaHead & { path: string; sizeBytes: number },
): Promise<FastifyReply> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    // Players don't retry after 404, but too many open files, or a failing disk, may pass.
    if (error.code !== 'ENOENT') throw error;
    // The segment has left the window in the meantime.
    throw segmentGone();
  });
  const wanted = answerHead(request, reply, head);
  if (wanted !== undefined && request.method !== 'HEAD') {
    return reply.send(file.createReadStream({ start: wanted.start, end: wanted.end - 1 }));
  }
  await file.close();
  return wanted === undefined ? reply : sendSlices(reply, []);
}

function answerHead(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type, sizeBytes }: MediaHead & { sizeBytes: number },
): Wanted {
  reply.header('cache-control', segmentCaching).header('etag', etag).header('accept-ranges', 'bytes');
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).send();
    return undefined;
  }
  const condition = request.headers['if-range'];
  // Only GET has ranges (RFC 9110 §14.2), and a range is useless to a client that has another representation (§13.1.5).
  const takesRange = request.method === 'GET' && (condition === undefined || condition === etag);
  const range = parseByteRange(takesRange ? request.headers.range : undefined, sizeBytes);
  if (range.kind === 'unsatisfiable') {
    reply
      .code(416)
      .header('content-range', `bytes */${sizeBytes}`)
      .header('cache-control', 'no-store')
      .send({ errors: [`The range is outside the ${sizeBytes} bytes there are.`] });
    return undefined;
  }
  reply.type(type);
  const { start, end } = range.kind === 'whole' ? { start: 0, end: sizeBytes } : { start: range.first, end: range.last + 1 };
  if (range.kind === 'bytes') reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`);
  reply.header('content-length', end - start);
  return { start, end };
}
