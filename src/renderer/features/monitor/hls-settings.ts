import type { HlsConfig } from 'hls.js';

/** How a player of the monitor plays. */
export interface PlayerSettings {
  hls: Partial<HlsConfig>;
  /** The least media that it keeps behind the playhead, in seconds (`trimBackBuffer`). */
  backSeconds: number;
}

/**
 * How hls.js plays a live stream in the monitor: close to the live edge, with little buffered.
 *
 * `liveSyncDuration` and `liveSyncDurationCount` stay unset: the monitor stays as far behind as the playlist asks viewers to
 * (PART-HOLD-BACK and HOLD-BACK of EXT-X-SERVER-CONTROL, rfc8216bis §4.4.3.8).
 */
const hlsSettings = {
  // fMP4 needs no transmuxing, and starting a worker delays the first frame.
  enableWorker: false,
  lowLatencyMode: true,
  // Starts with the lightest rendition and measures. The first one listed is the source, too heavy for a slow connection.
  startLevel: -1,
  liveDurationInfinity: true,
  // How far each stall moves the player back from the live edge, in seconds, until `forgetStalls` forgets it. The default of 1 would
  // double the latency.
  liveSyncOnStallIncrease: 0.2,
  // `trimBackBuffer` removes media that has been played.
  backBufferLength: Number.POSITIVE_INFINITY,
  maxBufferLength: 20,
  maxMaxBufferLength: 30,
  maxBufferSize: 30_000_000,
  enableInterstitialPlayback: false,
  enableWebVTT: false,
  enableCEA708Captions: false,
  enableIMSC1: false,
  emeEnabled: false,
} satisfies Partial<HlsConfig>;

/** The monitor's one large player: ten seconds back are available at once. */
export const largePlayer = { hls: hlsSettings, backSeconds: 15 } satisfies PlayerSettings;

/** One of many small players, which buffers less. */
export const smallPlayer = { hls: { ...hlsSettings, maxBufferLength: 8 }, backSeconds: 4 } satisfies PlayerSettings;
