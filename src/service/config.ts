import type { SettingSources, Settings, SettingsChanges } from '../shared/model/settings.ts';

/** How a host starts the service. */
export interface ServiceConfig {
  /** Absolute path of the data folder. If missing it is created, readable only by the user. */
  dataFolder: string;
  /** The address that every socket binds to. */
  host: string;
  /** Requested ports: busy is an error. Absent: the ports from Settings, or the next free ones. 0: any free port. */
  httpPort?: number;
  rtmpPort?: number;
  version: string;
  /** Settings that override the stored ones and that no screen can change. */
  givenSettings?: GivenSettings;
  /** Whether to continue with a new key, and new stream keys, if the key that encrypted the stored ones can't be read. Default: no. */
  newKey?: boolean;
}

/** The settings that a host was given at its start. */
export interface GivenSettings {
  /** `''` means none, even if one is stored. Without a requested port of 0, which is not a setting. */
  values: SettingsChanges;
  /** The source of each given value, including a port of 0. */
  sources: SettingSources;
}

/** Nothing was given: the stored settings hold. */
export const noGivenSettings: GivenSettings = { values: {}, sources: {} };

/** Settings of a new data folder, without `regionCode`, which is proposed from the time zone. */
export const defaultSettings: Omit<Settings, 'regionCode'> = {
  // 4600 is unassigned by IANA and usually free.
  httpPort: 4600,
  // RTMP's registered port, which encoders assume.
  rtmpPort: 1935,
  // This computer's own region alone.
  regions: [],
  regionNetworks: [],
  regionChoice: 'automatic',
  // Viewers need another playback URL then.
  changesRegion: false,
  // Longer than the first pauses between an encoder's retries.
  reconnectWindowSeconds: 60,
  liveWindowSeconds: 60,
  // Players stay two parts behind the live edge. Shorter parts cost more requests than they gain.
  partMs: 200,
  encoder: 'automatic',
  // Latency comes first. It costs a third of a second.
  lookahead: false,
  // Roughly the level to which streaming platforms turn louder broadcasts down.
  loudnessTargetLufs: -16,
};

/**
 * Media that all streams together keep in memory; older segments go to disk. Live edges stay in memory even beyond it, up to 512 MiB each.
 *
 * Two minutes of a 2.5 Mbit/s broadcast, or the live edges of ten of them (`docs/decisions/0006-memory-of-segments.md`).
 */
export const maxMediaBytes = 40 * 1024 * 1024;

/** Limits of RTMP ingest. Exceeding one closes only that connection. Tests pass their own. */
export interface IngestBounds {
  handshakeTimeoutMs: number;
  /** From connecting to `publish`. */
  publishTimeoutMs: number;
  /** A publisher that sends no usable media for this long counts as lost. */
  mediaTimeoutMs: number;
  maxMessageBytes: number;
  maxAmfDepth: number;
  maxConnections: number;
  /** Connections per address that have not sent a valid stream key yet. The oldest is closed to make room for a new one. */
  maxWaitingPerAddress: number;
  /** The same for an address that has sent a valid key before: it may be a studio. */
  maxWaitingPerKnownAddress: number;
  /** How much a connection may send before its `publish` is admitted. */
  maxUnpublishedBytes: number;
  /** Wrong stream keys per address within the window; replies to further wrong keys are delayed by `failedKeyDelayMs`. */
  maxFailedKeys: number;
  failedKeysWindowMs: number;
  failedKeyDelayMs: number;
}

/** The bounds of both hosts, before {@link fitToDescriptors}. */
export const defaultIngestBounds: IngestBounds = {
  // The handshake takes one round trip and `publish` three, of several seconds each on the worst connections.
  handshakeTimeoutMs: 10_000,
  publishTimeoutMs: 20_000,
  mediaTimeoutMs: 10_000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxAmfDepth: 16,
  maxConnections: 256,
  // An encoder waits less than a second, so no address has this many starting at once.
  maxWaitingPerAddress: 16,
  maxWaitingPerKnownAddress: 64,
  // The handshake and commands take under 8 KiB.
  maxUnpublishedBytes: 256 * 1024,
  maxFailedKeys: 10,
  failedKeysWindowMs: 60_000,
  failedKeyDelayMs: 3_000,
};

/** Limits of the HTTP server. Exceeding one closes only that connection. Tests pass their own. */
export interface HttpBounds {
  maxConnections: number;
  /** Per address, which many viewers may share. Loopback may use all connections, since a reverse proxy may run there. */
  maxConnectionsPerAddress: number;
  /** Requests that one connection may send before it has been answered (pipelining, RFC 9112 §9.3.2). They start one after another. */
  maxPipelined: number;
  /** From connecting, or from the request's first byte, to the end of its head. */
  headersTimeoutMs: number;
  /** Time limit for receiving a complete request, however slowly it arrives. */
  requestTimeoutMs: number;
  /** A response is dropped if the client reads none of it for this long. */
  writeTimeoutMs: number;
  /** Time limit for sending a complete response, however slowly the client reads. */
  answerTimeoutMs: number;
}

/** The bounds of both hosts, before {@link fitToDescriptors}. */
export const defaultHttpBounds: HttpBounds = {
  // Two for each of 2,000 viewers, more than one computer can upload to.
  maxConnections: 4_096,
  // Two for each of 500 viewers behind one address, such as a school, a mobile gateway or a remote proxy.
  maxConnectionsPerAddress: 1_024,
  // Players, browsers and proxies wait for each answer.
  maxPipelined: 4,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Longer than a phone is without network when it changes cells.
  writeTimeoutMs: 20_000,
  // A client that needs ten minutes for a segment of a few seconds is not watching.
  answerTimeoutMs: 600_000,
};

/**
 * The limits for a process that may open `descriptorLimit` file descriptors. Encoders get an eighth, viewers a quarter, and the
 * segments that the viewers at one address read from disk at most another quarter, so neither side can starve the other, the store, the
 * log or ffmpeg.
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
