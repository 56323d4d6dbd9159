import type { HlsConfig } from 'hls.js';

/**
 * How hls.js plays a live stream in the monitor: as near the live edge as the playlist allows, holding little.
 *
 * Neither `liveSyncDuration` nor `liveSyncDurationCount` is set: hls.js would prefer them to the distance the playlist asks for
 * (PART-HOLD-BACK and HOLD-BACK of EXT-X-SERVER-CONTROL, rfc8216bis §4.4.3.8).
 */
export const hlsSettings = {
  // There is nothing to transmux in fMP4, and a worker's start delays the first picture.
  enableWorker: false,
  lowLatencyMode: true,
  // It begins with the lightest rendition and measures: what is listed first is the source, which a slow connection does not carry.
  startLevel: -1,
  liveDurationInfinity: true,
  // Each stall moves the player this much back from the live edge, in seconds: the default of 1 would double the latency.
  liveSyncOnStallIncrease: 0.2,
  // Ten seconds back are there at once.
  backBufferLength: 15,
  maxBufferLength: 20,
  maxMaxBufferLength: 30,
  maxBufferSize: 30_000_000,
  enableInterstitialPlayback: false,
  enableWebVTT: false,
  enableCEA708Captions: false,
  enableIMSC1: false,
  emeEnabled: false,
} satisfies Partial<HlsConfig>;

/** The same for one of many small players: it holds less. */
export const smallHlsSettings = { ...hlsSettings, backBufferLength: 4, maxBufferLength: 8 } satisfies Partial<HlsConfig>;
