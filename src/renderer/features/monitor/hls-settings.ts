import type { HlsConfig } from 'hls.js';

/**
 * How hls.js plays a live stream in the monitor: close to the live edge, with little buffered.
 *
 * `liveSyncDuration` and `liveSyncDurationCount` stay unset: the monitor stays as far behind as the playlist asks viewers to
 * (PART-HOLD-BACK and HOLD-BACK of EXT-X-SERVER-CONTROL, rfc8216bis §4.4.3.8).
 */
export const hlsSettings = {
  // fMP4 needs no transmuxing, and starting a worker delays the first frame.
  enableWorker: false,
  lowLatencyMode: true,
  // Starts with the lightest rendition and measures. The first one listed is the source, too heavy for a slow connection.
  startLevel: -1,
  liveDurationInfinity: true,
  // How far each stall moves the player back from the live edge, in seconds. The default of 1 would double the latency.
  liveSyncOnStallIncrease: 0.2,
  // Makes ten seconds back available at once.
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

/** The same for one of many small players, which buffers less. */
export const smallHlsSettings = { ...hlsSettings, backBufferLength: 4, maxBufferLength: 8 } satisfies Partial<HlsConfig>;
