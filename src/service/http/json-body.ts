import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { runHarmlessly } from '../lib/faults.ts';

/** The largest body that is read. */
export const maxBodyBytes = 1024 * 1024;

/** Deeper than anything the interface takes, and shallow enough for every recursive reader behind. */
export const maxNesting = 32;

/**
 * Makes JSON the one kind of body the server reads: UTF-8 (RFC 8259 §8.1), at most {@link maxNesting} levels deep. Any
 * other content type is answered with 415.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // `__proto__` and `constructor` stay plain properties, which no schema takes: they are named as violations like any other.
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (request, body: Buffer, done) => {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        done(new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed: send it without Content-Encoding.'));
        return;
      }
      // Many clients name a content type with every request, also where there is no body.
      if (body.length === 0 && request.method === 'DELETE') {
        done(null, undefined);
        return;
      }
      const text = decodeUtf8(body);
      if (text === undefined || nestingExceeds(text, maxNesting)) {
        const what = text === undefined ? 'is not UTF-8' : `is nested more than ${maxNesting} levels deep`;
        done(new ServiceError('MALFORMED_REQUEST', `The body ${what}.`));
        return;
      }
      runHarmlessly(() => parseJson(request, text, done), 'taking a body');
    },
  );
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether arrays and objects stand more than `limit` deep in each other, in JSON or in what claims to be. */
function nestingExceeds(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        inString = !inString;
        break;
      case '\\':
        // Only strings hold these, and what they escape ends none.
        index++;
        break;
      case '[':
      case '{':
        if (!inString && ++depth > limit) return true;
        break;
      case ']':
      case '}':
        if (!inString) depth--;
        break;
    }
  }
  return false;
}
