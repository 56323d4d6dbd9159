import type { Settings } from '../shared/model/settings.ts';

/** How a host starts the service. */
export interface ServiceConfig {
  /** Absolute path of the data folder; made, readable by the user alone, when missing. */
  dataFolder: string;
  /** The address every socket binds to. */
  host: string;
  /** Ports that were asked for: busy is an error. Absent: those of Settings, or the next free ones. 0 is any free port. */
  httpPort?: number;
  rtmpPort?: number;
  version: string;
}

/** Settings of a fresh data folder; `regionCode` is proposed from the time zone. */
export const defaultSettings: Omit<Settings, 'regionCode'> = {
  // 4600 is unassigned by IANA and free on common systems.
  httpPort: 4600,
  // RTMP's registered port: encoders assume it.
  rtmpPort: 1935,
  // Longer than any encoder's own pause between attempts.
  reconnectWindowSeconds: 60,
  liveWindowSeconds: 60,
  // Players stay three parts behind; shorter ones cost more requests than they gain.
  partMs: 200,
  encoder: 'automatic',
};

/** Bounds of RTMP ingest: what is beyond closes that one connection. Tests pass their own. */
export interface IngestBounds {
  handshakeTimeoutMs: number;
  /** From connecting to `publish`. */
  publishTimeoutMs: number;
  /** Without media for this long a publisher counts as lost. */
  mediaTimeoutMs: number;
  maxMessageBytes: number;
  maxChunkBytes: number;
  maxAmfDepth: number;
  maxConnections: number;
  /** Connections of one address that have yet to send a right stream key; the oldest of them makes room for the next. */
  maxWaitingPerAddress: number;
  /** The same where a right key has come from: there may be a studio behind it. */
  maxWaitingPerKnownAddress: number;
  /** What a connection may send before `publish` is admitted. */
  maxUnpublishedBytes: number;
  /** Wrong stream keys per address within the window; the answer to further wrong ones is held back this long. */
  maxFailedKeys: number;
  failedKeysWindowMs: number;
  failedKeyDelayMs: number;
}

export const defaultIngestBounds: IngestBounds = {
  handshakeTimeoutMs: 5_000,
  publishTimeoutMs: 10_000,
  mediaTimeoutMs: 10_000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxChunkBytes: 16 * 1024 * 1024,
  maxAmfDepth: 16,
  maxConnections: 256,
  // An encoder waits for less than a second: that many begin at once behind no address.
  maxWaitingPerAddress: 16,
  maxWaitingPerKnownAddress: 64,
  // Handshake and commands are under 8 KiB.
  maxUnpublishedBytes: 256 * 1024,
  maxFailedKeys: 10,
  failedKeysWindowMs: 60_000,
  failedKeyDelayMs: 3_000,
};

/** Bounds of the HTTP server: what is beyond closes that one connection. Tests pass their own. */
export interface HttpBounds {
  maxConnections: number;
  /** Of one address, which many viewers may share; loopback may have all, since a reverse proxy stands there. */
  maxConnectionsPerAddress: number;
  /** From connecting, or from its first byte, to the end of a request's head. */
  headersTimeoutMs: number;
  /** A whole request must arrive within this, however slowly its bytes do. */
  requestTimeoutMs: number;
  /** An answer of which the other side takes nothing for this long is not waited for: what it holds is let go. */
  writeTimeoutMs: number;
  /** A whole answer must be taken within this, however slowly. */
  answerTimeoutMs: number;
}

export const defaultHttpBounds: HttpBounds = {
  // Two for each of 2,000 viewers: more than one computer's upload serves.
  maxConnections: 4_096,
  // Two for each of 500 viewers behind one address: a school, a mobile network's gateway, a proxy elsewhere.
  maxConnectionsPerAddress: 1_024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Longer than a phone is without a network while it changes cells.
  writeTimeoutMs: 20_000,
  // Who needs ten minutes for a segment of a few seconds does not watch.
  answerTimeoutMs: 600_000,
};

/**
 * The bounds for a process that may have `descriptorLimit` descriptors, so that neither viewers nor encoders can take those of the
 * other, or of the store, the log and ffmpeg: an eighth is for encoders, a quarter for viewers, and as much for the segments that
 * these read from disk.
 */
export function fitToDescriptors(
  { ingest, http }: { ingest: IngestBounds; http: HttpBounds },
  descriptorLimit: number,
): { ingest: IngestBounds; http: HttpBounds } {
  const forEncoders = Math.floor(descriptorLimit / 8);
  const forViewers = Math.floor(descriptorLimit / 4);
  return {
    ingest: { ...ingest, maxConnections: Math.min(ingest.maxConnections, forEncoders) },
    http: {
      ...http,
      maxConnections: Math.min(http.maxConnections, forViewers),
      maxConnectionsPerAddress: Math.min(http.maxConnectionsPerAddress, Math.ceil(forViewers / 4)),
    },
  };
}
