import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { runHarmlessly } from '../lib/faults.ts';

/** The largest accepted body. */
export const maxBodyBytes = 1024 * 1024;

/** Deeper than anything the interface accepts, and shallow enough for every recursive reader. */
const maxNesting = 32;

/**
 * Makes the server accept only JSON bodies: UTF-8 (RFC 8259 §8.1), nested at most {@link maxNesting} levels deep. Other content types
 * are answered with 415.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Many clients send a content type with every request, even without a body.
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (request.method === 'DELETE' && Number(length) === 0 && encoding === undefined) delete request.headers['content-type'];
    done();
  });
  // `__proto__` and `constructor` remain plain properties. No schema has them, so they are reported as violations.
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (request, body: Buffer, done) => {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        done(new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed. Send it without Content-Encoding.'));
        return;
      }
      // Chunked, so its length wasn't known before.
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
      runHarmlessly(() => parseJson(request, text, done), 'parsing a request body');
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

/** Whether arrays and objects are nested more than `limit` deep in this text, which may not be valid JSON. */
function nestingExceeds(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        inString = !inString;
        break;
      case '\\':
        // Backslashes only occur in strings, and an escaped character does not end one.
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
