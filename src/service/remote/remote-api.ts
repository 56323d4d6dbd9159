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
/** Less than this between two clocks may be the time that an answer takes, or the second that a date is rounded to. */
const clockToleranceMs = 2_000;
/** Polls wait no longer than this, whatever a service asks for: one that is asked every hour tells nothing. */
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
  /** How each request ended; undefined: the service has answered as it should. */
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

  constructor(options: RemoteApiOptions) {
    this.#options = options;
  }

  /** How far the service's clock is ahead of ours, in milliseconds, as far as a header with whole seconds tells; 0 if less than 2 s. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /**
   * Reads for a poll. While the service wants to be left alone, it fails at once, with the time until it is asked again: after the
   * service's `Retry-After`, but within 5 min, or once it has answered another call.
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

  /** Every stream, newest first, as far as ten pages go: a thousand. */
  async listStreams(): Promise<AnsweredStream[]> {
    const streams: AnsweredStream[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages && streams.length < maxListed; page += 1) {
      const query = new URLSearchParams({ streamsonly: '1', limit: String(pageLength), ...(cursor && { cursor }) });
      const path = `/stream?${query}`;
      const answer = await this.#ask('GET', path);
      streams.push(...this.#read(AnsweredStreams, answer.body));
      const next = findNextCursor(answer.headers.get('link'), this.#url(path));
      // A service that ignores the cursor would answer the first page for ever.
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
   * Asks about one stream. A service answers 404 if it has no such stream, and a proxy answers it to everything while its service is away.
   * So it is believed of a service that answers something else and then says it again.
   */
  async #askOfStream(method: RemoteRequest['method'], id: string, path = '', body?: unknown): Promise<HttpAnswer> {
    const ask = () => this.#ask(method, `/stream/${encodeURIComponent(id)}${path}`, body);
    // Not every service has the other paths.
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
    const request = { method, url: this.#url(path), apiKey, body, signal, ...(timeoutMs !== undefined && { timeoutMs }) };
    try {
      const answer = await askOnceOrTwice(request);
      this.#noteDate(answer.dateMs);
      this.#hold = undefined;
      onOutcome?.(undefined);
      return answer;
    } catch (error) {
      if (signal.aborted) throw new RemoteError({ code: 'closed' });
      const failure = readRemoteFailure(error);
      // What changes something may have a limit of its own: terminating a stream has one.
      const isOwnLimit = method !== 'GET' && failure.code === 'too-many-requests';
      if (!isOwnLimit) this.#holdPolls(failure);
      // It has answered, if not with what was asked for.
      const isAnswer = isOwnLimit || failure.code === 'refused' || (failure.code === 'not-offered' && !isOfEveryService(path));
      onOutcome?.(isAnswer ? undefined : failure);
      throw error;
    }
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

/** Whether every service answers this path: a stream may not be there, and the interface's description lacks the list of sessions. */
function isOfEveryService(path: string): boolean {
  return !path.startsWith('/stream/') && !path.startsWith('/stream?sessionsonly');
}

/** The first wrong place, like `0.playbackId`. */
function findWrongPlace(error: z.ZodError): string {
  return (error.issues[0]?.path ?? []).map(String).join('.').slice(0, 100);
}

/** A kept connection may be closed by the other end just as it is used; what only reads is then asked once more, on a new one. */
async function askOnceOrTwice(request: RemoteRequest): Promise<HttpAnswer> {
  try {
    return await askRemote(request);
  } catch (error) {
    const isClosed = error instanceof RemoteError && error.failure.code === 'closed';
    if (!isClosed || request.method !== 'GET') throw error;
    return askRemote(request);
  }
}
