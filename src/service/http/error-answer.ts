import { randomUUID } from 'node:crypto';
import type { FastifyError } from 'fastify';
import { type ErrorBody, type ErrorCode, ServiceError } from '../../shared/errors.ts';
import { describeError } from '../../shared/words/error-words.ts';
import { describeViolation } from '../../shared/words/violation-words.ts';
import { createSeldomWarning, type SeldomWarning } from '../lib/log-seldom.ts';
import type { Logger } from '../ports.ts';
import { findStoreFault } from '../store/store-fault.ts';

/** The answer to a failed request. */
export interface ErrorAnswer {
  status: number;
  headers?: Record<string, string>;
  body: ErrorBody;
}

/** Fastify's own errors in our words: its messages address the programmer. */
const fastifyErrors: Readonly<Record<string, [code: ErrorCode, sentence: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['BODY_TOO_LARGE', 'The body is larger than 1 MiB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON. Send "Content-Type: application/json".'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['MALFORMED_REQUEST', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['MALFORMED_REQUEST', 'The body is empty; JSON is required.'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND', 'There is nothing at this path.'],
  FST_ERR_BAD_URL: ['MALFORMED_REQUEST', 'The path is not a valid URL path.'],
};

/** The log of failed requests. */
export interface RequestLog {
  /** A bug, with an error id that only its own line has. */
  tellFault: (details: object, sentence: string) => void;
  /** Rate-limited, since anybody can send requests that read the store. */
  tellUnreadable: SeldomWarning;
}

/** Logs failed requests: bugs each time, an unreadable store at a limited rate. */
export function createRequestLog(log: Logger): RequestLog {
  const tellFault = (details: object, sentence: string) => log.error(details, sentence);
  return { tellFault, tellUnreadable: createSeldomWarning(tellFault, () => performance.now()) };
}

/**
 * The answer to a failed request: the violations or the words of a {@link ServiceError}. For internal errors it has an error id that
 * is also in the log, but never a stack or cause.
 */
export function formatErrorAnswer(error: unknown, log: RequestLog): ErrorAnswer {
  if (error instanceof ServiceError) {
    const { code, status, details } = error;
    return {
      status,
      body: { errors: details?.violations?.map(describeViolation) ?? [describeError(error)] },
      ...(headersFor[code] && { headers: headersFor[code] }),
    };
  }
  const storeFault = findStoreFault(error);
  if (storeFault !== undefined) {
    log.tellUnreadable({ err: error }, 'A request failed because the store cannot be read.');
    return formatErrorAnswer(storeFault, log);
  }
  const { code = '', statusCode = 500 } = error instanceof Error ? (error as FastifyError) : {};
  const known = fastifyErrors[code];
  if (known !== undefined) return formatErrorAnswer(new ServiceError(...known), log);
  if (statusCode >= 400 && statusCode < 500) return { status: statusCode, body: { errors: ['The request is malformed.'] } };
  return formatFault(error, log);
}

/** The request may work again in a second. */
export const unavailableHeaders = { 'retry-after': '1' };

const headersFor: { [code in ErrorCode]?: Record<string, string> } = {
  UNAUTHORIZED: { 'www-authenticate': 'Bearer' },
  TOO_MANY_REQUESTS: { 'retry-after': '5' },
  UNAVAILABLE: unavailableHeaders,
};

function formatFault(error: unknown, log: RequestLog): ErrorAnswer {
  const errorId = randomUUID();
  log.tellFault({ err: error, errorId }, 'A request failed because of an internal error.');
  return { status: 500, body: { errors: [`Something went wrong in Tallylight. See error id ${errorId} in its log.`] } };
}
