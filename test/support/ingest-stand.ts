import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { defaultIngestBounds, type IngestBounds } from '../../src/service/config.ts';
import { createFailedKeyLimit, type FailedKeyLimit } from '../../src/service/ingest/failed-key-limit.ts';
import type { Publisher, PublisherEnd } from '../../src/service/ingest/publish-gate.ts';
import type { PublisherMetadata } from '../../src/service/ingest/publisher-metadata.ts';
import { type RtmpServer, startRtmpServer } from '../../src/service/ingest/rtmp-server.ts';
import type { LogLevel } from '../../src/service/lib/log.ts';
import type { MediaUnit } from '../../src/service/media/media-unit.ts';
import type { TlsFiles } from '../../src/service/tls/tls-files.ts';
import { describeUnit } from './describe-unit.ts';
import { soon } from './soon.ts';
import { createTestLog } from './store-stand.ts';

/** The key that the stand's gate refuses; it admits all others. */
export const refusedStreamKey = 'xxxx-xxxx-xxxx-xxxx';
/** A key that the gate knows and refuses for now. */
export const waitingStreamKey = 'wwww-wwww-wwww-wwww';

/** The time limits of a service, for tests that fake the timers. */
export const usualTimeLimits = {
  handshakeTimeoutMs: defaultIngestBounds.handshakeTimeoutMs,
  publishTimeoutMs: defaultIngestBounds.publishTimeoutMs,
  mediaTimeoutMs: defaultIngestBounds.mediaTimeoutMs,
};
/** Those of the stand: no other test reaches them, however busy the computer is. */
const longTimeLimits = { handshakeTimeoutMs: 600_000, publishTimeoutMs: 600_000, mediaTimeoutMs: 600_000 };

/** The id of a key's stream: each has its own. */
const nameStream = (streamKey: string) => `stream of ${streamKey.slice(0, 4)}`;

/** The media and metadata of one admitted publisher. */
export interface AdmittedPublisher {
  streamKey: string;
  publisher: Publisher;
  /** The calls to its sink, in order, as {@link describeUnit} formats it; `left out` and the bytes, and `metadata`. */
  received: string[];
  units: MediaUnit[];
  metadata: PublisherMetadata[];
  ends: PublisherEnd[];
}

/** A running ingest whose gate admits everyone and records them. */
export interface IngestStand extends AsyncDisposable {
  server: RtmpServer;
  publishers: AdmittedPublisher[];
  /** Every stream key the gate was asked about. */
  askedKeys: string[];
  /** Messages for publishers that were disconnected before they sent a key. */
  unheard: string[];
  /** Every line logged, parsed. */
  logLines: ReturnType<typeof createTestLog>['lines'];
  /** The reasons logged, in order. */
  reasons(): unknown[];
  /** Resolves when the server has no open connections. */
  allGone(): Promise<void>;
  /** A connection that the server has accepted: {@link allGone} waits for its end. */
  connect(): Promise<Socket>;
}

export async function startIngestStand({
  bounds,
  now = () => performance.now(),
  onAdmit,
  logLevel,
  tls,
  failedKeys,
}: {
  bounds?: Partial<IngestBounds>;
  now?: () => number;
  onAdmit?: (publisher: Publisher) => void;
  logLevel?: LogLevel;
  tls?: TlsFiles;
  /** Shared with another door. */
  failedKeys?: FailedKeyLimit;
} = {}): Promise<IngestStand> {
  const publishers: AdmittedPublisher[] = [];
  const askedKeys: string[] = [];
  const unheard: string[] = [];
  const { log, lines: logLines } = createTestLog(logLevel);
  const clock = { monotonicMs: now };
  const allBounds = { ...defaultIngestBounds, ...longTimeLimits, ...bounds };
  const server = await startRtmpServer({
    host: '127.0.0.1',
    port: 0,
    bounds: allBounds,
    failedKeys:
      failedKeys ??
      createFailedKeyLimit({ maxFailedKeys: allBounds.maxFailedKeys, windowMs: allBounds.failedKeysWindowMs, clock }),
    clock,
    tls,
    log,
    gate: {
      refuseUnheard: ({ remoteAddress }, { code }) => void unheard.push(`${remoteAddress}: ${code}`),
      admit(streamKey, publisher) {
        askedKeys.push(streamKey);
        if (streamKey === refusedStreamKey) return { kind: 'refused', reason: { code: 'wrong-key' } };
        const streamId = nameStream(streamKey);
        if (streamKey === waitingStreamKey) return { kind: 'refused', reason: { code: 'suspended' }, streamId };
        onAdmit?.(publisher);
        const admitted: AdmittedPublisher = { streamKey, publisher, received: [], units: [], metadata: [], ends: [] };
        publishers.push(admitted);
        return {
          kind: 'admitted',
          streamId,
          sink: {
            unit: (unit) => {
              admitted.units.push(unit);
              admitted.received.push(describeUnit(unit));
            },
            announce: (metadata) => {
              admitted.metadata.push(metadata);
              admitted.received.push('metadata');
            },
            leaveOut: ({ track, sizeBytes, error }) => {
              admitted.received.push(`left out ${track} ${sizeBytes}${error ? `: ${error.message}` : ''}`);
            },
            end: (end) => void admitted.ends.push(end),
          },
        };
      },
    },
  });
  /** The clients' ports of the connections that the server has accepted, until they are asked for; undefined if it closed one at once. */
  const accepted: (number | undefined)[] = [];
  const onAccepted = (message: unknown) => {
    const { localPort, remotePort } = (message as { socket: Socket }).socket;
    if (localPort === server.port || localPort === undefined) accepted.push(remotePort);
  };
  subscribe('net.server.socket', onAccepted);
  const sockets = new Set<Socket>();
  return {
    server,
    publishers,
    askedKeys,
    unheard,
    logLines,
    reasons: () => logLines.map((line) => line.reason).filter((reason) => reason !== undefined),
    allGone: () =>
      soon(() => {
        if (server.connectionCount > 0) throw new Error(`${server.connectionCount} connections are still open.`);
      }),
    async connect() {
      const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => {});
      await once(socket, 'connect');
      const { localPort } = socket;
      await soon(() => {
        const at = accepted.findIndex((port) => port === localPort || port === undefined);
        if (at === -1) throw new Error('The server has not accepted the connection.');
        accepted.splice(at, 1);
      });
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await server.close();
      unsubscribe('net.server.socket', onAccepted);
    },
  };
}
