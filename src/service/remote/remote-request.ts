import { cutText } from '../../shared/cut-text.ts';
import { parseJson } from '../lib/parse-json.ts';
import { readText } from '../lib/read-text.ts';
import { explainFetchError } from './fetch-failure.ts';
import { RemoteError } from './remote-error.ts';

/** How long a service may take for its whole answer. */
const deadlineMs = 5_000;
/** The largest answer that is read: a thousand streams with sixteen profiles each. */
const maxBytes = 4 * 1024 * 1024;
/** The longest pause that we obey: a date may be wrong. */
const maxRetryAfterSeconds = 3_600;
/** The most text of a service's own error message that is shown. */
const maxSaid = 300;

/** A request to a service. */
export interface RemoteRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** An address below the base URL; it may have a query. */
  url: URL;
  apiKey: string;
  body?: unknown;
  signal: AbortSignal;
  timeoutMs?: number;
}

/** A service's answer with a status of success. */
export interface HttpAnswer {
  /** The parsed body; undefined if it was empty. */
  body: unknown;
  headers: Headers;
  /** When the service answered, by its own clock, in epoch milliseconds of whole seconds; undefined if it doesn't say. */
  dateMs: number | undefined;
}

/**
 * Asks a service once. The API key is only sent to this address: redirects are not followed.
 *
 * @throws {RemoteError}, or the signal's reason when it aborts
 */
export async function askRemote(request: RemoteRequest): Promise<HttpAnswer> {
  const { method, url, apiKey, body, signal, timeoutMs = deadlineMs } = request;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, late]),
    });
    const text = await readText(response, maxBytes);
    if (text === undefined) throw new RemoteError({ code: 'too-large', maxBytes });
    if (!response.ok) throw new RemoteError(explainStatus(response, text, apiKey));
    return { body: text === '' ? undefined : readJson(text), headers: response.headers, dateMs: readDateMs(response.headers) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RemoteError) throw error;
    if (late.aborted) throw new RemoteError({ code: 'timed-out', afterMs: timeoutMs });
    throw new RemoteError(explainFetchError(error, url), { cause: error });
  }
}

function readJson(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new RemoteError({ code: 'not-json' });
  return value;
}

function explainStatus(response: Response, text: string, apiKey: string): RemoteError['failure'] {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const to = URL.parse(response.headers.get('location') ?? '', response.url)?.origin;
    return { code: 'redirected', ...(to !== undefined && to !== 'null' && to !== new URL(response.url).origin && { to }) };
  }
  const retryAfterSeconds = readRetryAfter(response.headers);
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (status === 401 || status === 403) return { code: 'key-refused', status };
  if (status === 404 || status === 405 || status === 501) return { code: 'not-offered', status };
  if (status === 429) return { code: 'too-many-requests', ...retry };
  if (status >= 500) return { code: 'server-error', status, ...retry };
  const says = readWords(text, apiKey);
  return { code: 'refused', status, ...(says !== undefined && { says }) };
}

/**
 * The wait that `Retry-After` asks for, in seconds: a number or a date (RFC 9110 §10.2.3). A date is read by the service's clock,
 * as in its `Date` (§6.6.1), or else by ours.
 */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d{1,9}$/.test(text.trim())
    ? Number(text)
    : (Date.parse(text) - (readDateMs(headers) ?? Date.now())) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(maxRetryAfterSeconds, Math.max(0, Math.ceil(seconds)));
}

function readDateMs(headers: Headers): number | undefined {
  const dateMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

/** The sentences of an error's body, as our own interface and others have them. */
function readWords(text: string, apiKey: string): string | undefined {
  const { errors, error, message } = (parseJson(text) ?? {}) as Record<string, unknown>;
  const said = [errors, error, message].flat().filter((word) => typeof word === 'string');
  const words = said.join(' ').replaceAll(apiKey, '…').replace(/\s+/g, ' ').trim();
  return words === '' ? undefined : cutText(words, maxSaid);
}
