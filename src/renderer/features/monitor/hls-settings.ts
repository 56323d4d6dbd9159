import type { HlsConfig } from 'hls.js';
import workerUrl from 'hls.js/dist/hls.worker.js?url';

/** How hls.js plays a live stream in the monitor: near the live edge, catching up gently, holding little. */
export const hlsSettings: Partial<HlsConfig> = {
  // A file of our own: the Content-Security-Policy allows no worker made from a blob.
  workerPath: workerUrl,
  lowLatencyMode: true,
  liveDurationInfinity: true,
  // Distance from the live edge in target durations (EXT-X-SERVER-CONTROL's HOLD-BACK, where given, goes before it).
  liveSyncDurationCount: 2,
  liveMaxLatencyDurationCount: 6,
  // Catching up is heard above 1.1.
  maxLiveSyncPlaybackRate: 1.08,
  backBufferLength: 12,
  maxBufferLength: 20,
  maxMaxBufferLength: 30,
  maxBufferSize: 30_000_000,
  enableInterstitialPlayback: false,
  enableWebVTT: false,
  enableCEA708Captions: false,
  enableIMSC1: false,
  emeEnabled: false,
};
