import type { LookupFunction, Socket } from 'node:net';
import type { ConnectionStage } from '../../shared/model/ingest-failure.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { parseIngestUrl } from '../publishing/ingest-url.ts';
import type { Destination } from '../publishing/media-publisher.ts';
import { openSocket, secureSocket } from '../publishing/open-socket.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { Publication } from './publication.ts';
import type { RtmpPublisher } from './rtmp-publisher.ts';
import { StepLimit } from './step-limit.ts';

/** The options of publishing: the URL as {@link parseIngestUrl} takes it, times in milliseconds. */
export interface RtmpPublisherOptions extends Destination {
  /** Certificates of authorities to trust besides those that Node knows, in PEM. */
  authorities?: readonly string[];
  /** Resolves names; by default the system does. */
  lookup?: LookupFunction;
  /**
   * How long the ingest may take for each step up to `NetStream.Publish.Start`: the TCP connection, the handshakes, each command. On a
   * slow way there are five round trips, so there is no limit on their sum.
   */
  stepTimeoutMs?: number;
  /** A separate limit for the TLS handshake. */
  tlsTimeoutMs?: number;
  /** The ingest counts as lost after this long without progress while data waits to be sent. */
  stallTimeoutMs?: number;
  /** Time limit for the last bytes and the goodbye. */
  closeGraceMs?: number;
  /** How long media may wait before frames are dropped, and how much of it. */
  maxQueueMs?: number;
  maxQueueBytes?: number;
}

/**
 * Publishes to an RTMP ingest; resolves at the server's `NetStream.Publish.Start`.
 *
 * @throws {PublishError} when the server cannot be reached, refuses, or does not reply in time
 */
export async function startRtmpPublisher(options: RtmpPublisherOptions): Promise<RtmpPublisher> {
  const { streamKey, lookup, wasAccepted = false, signal, stepTimeoutMs = 10_000 } = options;
  signal.throwIfAborted();
  const ingest = parseIngestUrl(options.url);
  if (ingest === undefined) throw new PublishError('refused', { code: 'wrong-address' });
  using limit = new StepLimit(stepTimeoutMs);
  const starting = AbortSignal.any([signal, limit.signal]);
  const { host, port, isSecure } = ingest;
  let stage = (): ConnectionStage => 'connect';
  try {
    const plain = await openSocket(host, port, { lookup, wasFound: wasAccepted, signal: starting });
    limit.next();
    stage = () => 'tls';
    const socket = isSecure ? await secureInTime(plain, host, starting, options) : plain;
    limit.next();
    const publication = new Publication({
      socket,
      app: ingest.app,
      streamKey,
      wasAccepted,
      tcUrl: ingest.tcUrl,
      onStep: () => limit.next(),
      stallTimeoutMs: options.stallTimeoutMs ?? 5_000,
      closeGraceMs: options.closeGraceMs ?? 1_000,
      maxQueueMs: options.maxQueueMs ?? 3_000,
      maxQueueBytes: options.maxQueueBytes ?? 32 * 1024 * 1024,
    });
    stage = () => publication.stage;
    await closeOnAbort(publication, starting, publication.started);
    runHarmlessly(() => closeOnAbort(publication, signal, publication.closed), 'watching a publication');
    return publication;
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) throw new PublishError('timeout', { code: 'timed-out', during: stage(), afterMs: stepTimeoutMs });
    throw error;
  }
}

/** Starts TLS within its own time limit. */
async function secureInTime(
  socket: Socket,
  host: string,
  signal: AbortSignal,
  { authorities = [], tlsTimeoutMs = 5_000 }: Pick<RtmpPublisherOptions, 'authorities' | 'tlsTimeoutMs'>,
): Promise<Socket> {
  const timeout = AbortSignal.timeout(tlsTimeoutMs);
  try {
    return await secureSocket(socket, host, { authorities, signal: AbortSignal.any([signal, timeout]) });
  } catch (error) {
    if (timeout.aborted) throw new PublishError('timeout', { code: 'timed-out', during: 'tls', afterMs: tlsTimeoutMs });
    throw error;
  }
}

/** Awaits `until`, and closes the publication if the signal aborts first. */
async function closeOnAbort<T>(publication: RtmpPublisher, signal: AbortSignal, until: Promise<T>): Promise<T> {
  const close = () => runHarmlessly(() => publication.close(), 'closing an aborted publication');
  if (signal.aborted) close();
  signal.addEventListener('abort', close, { once: true });
  try {
    return await until;
  } finally {
    signal.removeEventListener('abort', close);
  }
}
