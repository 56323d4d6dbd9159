import { connect, type Socket } from 'node:net';
import { runHarmlessly } from '../lib/faults.ts';
import { explainConnectError, formatAddress } from './connect-failure.ts';
import { Publication } from './publication.ts';
import { RtmpPublishError, type RtmpPublisher } from './rtmp-publisher.ts';

/** Where and how to publish. Times in milliseconds. */
export interface RtmpPublisherOptions {
  host: string;
  port: number;
  /** Application name, like `live`. */
  app: string;
  streamKey: string;
  /** The URL in `connect`, without the stream key; `rtmp://host:port/app` by default. */
  tcUrl?: string;
  /** Aborting before the start rejects with the signal's reason; later it is the same as `close()`. */
  signal: AbortSignal;
  /** From the call to `NetStream.Publish.Start`. */
  startTimeoutMs?: number;
  /** The ingest counts as lost after this long without progress while something waits to be sent. */
  stallTimeoutMs?: number;
  /** Time limit for the last bytes and the goodbye. */
  closeGraceMs?: number;
  /** How much media may wait before frames are dropped: media time, and bytes. */
  maxQueueMs?: number;
  maxQueueBytes?: number;
}

/**
 * Publishes to an RTMP ingest; resolves at the server's `NetStream.Publish.Start`.
 *
 * @throws {RtmpPublishError} when the server cannot be reached, refuses, or does not reply in time
 */
export async function startRtmpPublisher(options: RtmpPublisherOptions): Promise<RtmpPublisher> {
  const { host, port, app, streamKey, signal, startTimeoutMs = 10_000 } = options;
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(startTimeoutMs);
  const starting = AbortSignal.any([signal, timeout]);
  let publication: Publication | undefined;
  try {
    publication = new Publication({
      socket: await openSocket(host, port, starting),
      app,
      streamKey,
      tcUrl: options.tcUrl ?? `rtmp://${formatAddress(host, port)}/${app}`,
      stallTimeoutMs: options.stallTimeoutMs ?? 5_000,
      closeGraceMs: options.closeGraceMs ?? 1_000,
      maxQueueMs: options.maxQueueMs ?? 3_000,
      maxQueueBytes: options.maxQueueBytes ?? 32 * 1024 * 1024,
    });
    await closeOnAbort(publication, starting, publication.started);
    const running = publication;
    runHarmlessly(() => closeOnAbort(running, signal, running.closed), 'watching a publication');
    return running;
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) {
      const during = publication?.stage ?? 'connect';
      throw new RtmpPublishError('timeout', { code: 'timed-out', during, afterMs: startTimeoutMs });
    }
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

async function openSocket(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port });
  const destroy = () => socket.destroy(new Error('Connecting was aborted.'));
  signal.addEventListener('abort', destroy, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return socket;
  } catch (error) {
    throw new RtmpPublishError('unreachable', explainConnectError(error, { host, port }), { cause: error });
  } finally {
    signal.removeEventListener('abort', destroy);
  }
}
