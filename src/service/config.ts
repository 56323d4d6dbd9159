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
  maxFailedKeys: 10,
  failedKeysWindowMs: 60_000,
  failedKeyDelayMs: 3_000,
};
