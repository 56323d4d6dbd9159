import type { z } from 'zod';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { RemoteFailure, RemoteFailureOf } from '../../shared/model/remote-failure.ts';
import type { NewStream, StreamChanges } from '../../shared/model/stream.ts';
import type { Clock } from '../ports.ts';
import { findNextCursor } from './next-cursor.ts';
import {
  type AnsweredSession,
  AnsweredSessions,
  AnsweredStream,
  AnsweredStreams,
  maxListed,
  type ParentedSession,
  ParentedSessions,
  RemotePairs,
} from './remote-answers.ts';
import { RemoteError, readRemoteFailure } from './remote-error.ts';
import { askRemote, type HttpAnswer, type RemoteRequest } from './remote-request.ts';
import { pickUsable } from './usable-pairs.ts';

/** Streams per page of the list, and the most pages that are read: a service with more has a screen of its own. */
const pageLength = 100;
const maxPages = 10;
/** A smaller difference between two clocks may come from the time that an answer takes, or from dates in whole seconds. */
const clockToleranceMs = 2_000;
/** Polls wait at most this long, whatever a service asks for: hourly answers would be useless. */
const maxHoldMs = 300_000;

export interface RemoteApiOptions {
  /** As `parseRemoteBaseUrl` returns it. */
  baseUrl: string;
  /** The API key; undefined if it can't be decrypted. */
  findKey: () => string | undefined;
  clock: Clock;
  /** Ends every request. */
  signal: AbortSignal;
  timeoutMs?: number;
  /** Called with a request's failure, unless a later one was answered before; undefined after a correct answer. */
  onOutcome?: (failure: RemoteFailure | undefined) => void;
}

/**
 * The public interface of a service elsewhere, as a client (Live Streaming Service Interface, "Endpoints").
 *
 * Every call throws a {@link RemoteError}. After 429 or 503 with `Retry-After`, polls wait ({@link RemoteApi.poll}); every other call is
 * made, since somebody has asked for it.
 */
export class RemoteApi {
  readonly #options: RemoteApiOptions;
  #hold: { untilMs: number; failure: RemoteFailureOf<'too-many-requests' | 'server-error'> } | undefined;
  #clockAheadMs = 0;
  /** Requests so far, and the number of the latest that was answered. */
  #asked = 0;
  #answered = 0;

  constructor(options: RemoteApiOptions) {
    this.#options = options;
  }

  /** How far the service's clock is ahead of ours, in milliseconds, measured by a header in whole seconds; 0 if less than 2 s. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /**
   * Reads for a poll. While the service wants a pause, this fails at once, with the time until the next real poll: after the service's
   * `Retry-After`, but within 5 min, or as soon as it has answered another call.
   */
  async poll<T>(read: () => Promise<T>): Promise<T> {
    this.#refuseWhileHeld();
    try {
      return await read();
    } catch (error) {
      this.#refuseWhileHeld();
      throw error;
    }
  }

  #refuseWhileHeld(): void {
    if (this.#hold === undefined) return;
    const waitMs = this.#hold.untilMs - this.#options.clock.monotonicMs();
    if (waitMs > 0) this.#fail({ ...this.#hold.failure, askedAgainInSeconds: Math.ceil(waitMs / 1000) });
  }

  /** Every stream, newest first; at most ten pages, a thousand streams. */
  async listStreams(): Promise<AnsweredStream[]> {
    const streams: AnsweredStream[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages && streams.length < maxListed; page += 1) {
      const query = new URLSearchParams({ streamsonly: '1', limit: String(pageLength), ...(cursor && { cursor }) });
      const path = `/stream?${query}`;
      const answer = await this.#ask('GET', path);
      streams.push(...this.#read(AnsweredStreams, answer.body));
      const next = findNextCursor(answer.headers.get('link'), this.#url(path));
      // A service that ignores the cursor would answer with the first page forever.
      if (next === undefined || next === cursor) break;
      cursor = next;
    }
    return [...new Map(streams.map((stream) => [stream.id, stream])).values()].slice(0, maxListed);
  }

  /** Whether the service accepts the API key: it answers a list of streams. */
  async checkKey(): Promise<void> {
    this.#read(AnsweredStreams, (await this.#ask('GET', '/stream?streamsonly=1&limit=1')).body);
  }

  async getStream(id: string): Promise<AnsweredStream> {
    return this.#read(AnsweredStream, (await this.#askOfStream('GET', id)).body);
  }

  async createStream(stream: NewStream): Promise<AnsweredStream> {
    return this.#read(AnsweredStream, (await this.#ask('POST', '/stream', stream)).body);
  }

  async updateStream(id: string, changes: StreamChanges): Promise<void> {
    await this.#askOfStream('PATCH', id, '', changes);
  }

  async deleteStream(id: string): Promise<void> {
    await this.#askOfStream('DELETE', id);
  }

  /** Ends the running broadcast. */
  async terminate(id: string): Promise<void> {
    await this.#askOfStream('DELETE', id, '/terminate');
  }

  /** The newest broadcasts of a stream. */
  async listSessions(id: string, limit: number): Promise<AnsweredSession[]> {
    const { body } = await this.#askOfStream('GET', id, `/sessions?limit=${limit}`);
    return this.#read(AnsweredSessions, body).slice(0, limit);
  }

  /** The running broadcasts of all streams. */
  async listActiveSessions(): Promise<ParentedSession[]> {
    return this.#read(ParentedSessions, (await this.#ask('GET', `/stream?sessionsonly=1&active=1&limit=${pageLength}`)).body);
  }

  /** The pair of the region that the service finds nearest to this computer. */
  async findNearestPair(): Promise<IngestPair> {
    const { usable, fault } = await this.#readPairs('/ingest');
    return usable[0] ?? this.#fail({ code: 'no-ingest', ...(fault && { fault }) });
  }

  /** The pairs of all its regions that can be used from here. */
  async listPairs(): Promise<IngestPair[]> {
    return (await this.#readPairs('/ingest?first=false')).usable;
  }

  async #readPairs(path: string): Promise<ReturnType<typeof pickUsable>> {
    return pickUsable(this.#read(RemotePairs, (await this.#ask('GET', path)).body), this.#options);
  }

  #url(path: string): URL {
    return new URL(this.#options.baseUrl + path);
  }

  /**
   * Asks about one stream. A service answers 404 if it has no such stream, but a proxy answers 404 to everything while its service is away.
   * So a 404 is believed only if the service answers another request and then repeats the 404.
   */
  async #askOfStream(method: RemoteRequest['method'], id: string, path = '', body?: unknown): Promise<HttpAnswer> {
    const ask = () => this.#ask(method, `/stream/${encodeURIComponent(id)}${path}`, body);
    // Not every service has the paths below a stream's.
    if (path !== '') return ask();
    try {
      return await ask();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await this.checkKey();
    try {
      return await ask();
    } catch (error) {
      throw isNotFound(error) ? new RemoteError({ code: 'no-such-stream' }, { cause: error }) : error;
    }
  }

  async #ask(method: RemoteRequest['method'], path: string, body?: unknown): Promise<HttpAnswer> {
    const { findKey, signal, timeoutMs, onOutcome } = this.#options;
    const apiKey = findKey() ?? this.#fail({ code: 'key-lost' });
    const request = { method, url: this.#url(path), apiKey, body, signal, timeoutMs };
    this.#asked += 1;
    const number = this.#asked;
    try {
      const answer = await askOnceOrTwice(request);
      this.#noteDate(answer.dateMs);
      this.#hold = undefined;
      this.#noteAnswer(number);
      return answer;
    } catch (error) {
      if (signal.aborted) throw new RemoteError({ code: 'closed' });
      const failure = readRemoteFailure(error);
      // Calls that change something may have a rate limit of their own, as terminating a stream has.
      const isOwnLimit = method !== 'GET' && failure.code === 'too-many-requests';
      // The service has answered, though with a refusal.
      const isAnswer = isOwnLimit || failure.code === 'refused' || (failure.code === 'not-offered' && !isOfEveryService(path));
      const isNews = number > this.#answered;
      if (isNews && !isOwnLimit) this.#holdPolls(failure);
      if (isAnswer) this.#noteAnswer(number);
      else if (isNews) onOutcome?.(failure);
      throw error;
    }
  }

  /** The service has answered the request with this number. */
  #noteAnswer(number: number): void {
    this.#answered = Math.max(this.#answered, number);
    this.#options.onOutcome?.(undefined);
  }

  #holdPolls(failure: RemoteFailure): void {
    if ((failure.code !== 'too-many-requests' && failure.code !== 'server-error') || !failure.retryAfterSeconds) return;
    const holdMs = Math.min(maxHoldMs, failure.retryAfterSeconds * 1000);
    this.#hold = { untilMs: this.#options.clock.monotonicMs() + holdMs, failure };
  }

  /** `Date` has whole seconds (RFC 9110 §6.6.1), so its moment is half a second later on average. */
  #noteDate(dateMs: number | undefined): void {
    if (dateMs === undefined) return;
    const aheadMs = dateMs + 500 - this.#options.clock.now();
    if (Math.abs(aheadMs - this.#clockAheadMs) < clockToleranceMs) return;
    this.#clockAheadMs = Math.abs(aheadMs) < clockToleranceMs ? 0 : Math.round(aheadMs);
  }

  #read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    return this.#fail({ code: 'nonsense', path: findWrongPlace(parsed.error) });
  }

  #fail(failure: RemoteFailure): never {
    this.#options.onOutcome?.(failure);
    throw new RemoteError(failure);
  }
}

function isNotFound(error: unknown): boolean {
  const failure = readRemoteFailure(error);
  return failure.code === 'not-offered' && failure.status === 404;
}

/** Whether every service has this path. A stream may be gone, and the interface's description lacks the list of sessions. */
function isOfEveryService(path: string): boolean {
  return !path.startsWith('/stream/') && !path.startsWith('/stream?sessionsonly');
}

/** The first wrong place, like `0.playbackId`. */
function findWrongPlace(error: z.ZodError): string {
  return (error.issues[0]?.path ?? []).map(String).join('.').slice(0, 100);
}

/** The other end may close a keep-alive connection just as we use it; a read is then repeated once, on a new connection. */
async function askOnceOrTwice(request: RemoteRequest): Promise<HttpAnswer> {
  try {
    return await askRemote(request);
  } catch (error) {
    const isClosed = error instanceof RemoteError && error.failure.code === 'closed';
    if (!isClosed || request.method !== 'GET') throw error;
    return askRemote(request);
  }
}
