import type { HealthFacts } from '../../src/service/health/health-facts.ts';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import type { AirState, OneClickState } from '../../src/shared/model/live.ts';
import { testSource } from '../../src/shared/model/source.ts';

/** The moment of these facts. */
export const now = 1_000_000;

export const onAir: Extract<AirState, { kind: 'on-air' }> = { kind: 'on-air', since: now - 60_000, sessionId: 'a' };

/** A minute of another encoder's broadcast without any trouble. */
export const healthy: HealthFacts = {
  now,
  air: onAir,
  oneClick: { kind: 'idle' },
  meters: { measuredAt: now, bitrateBps: 3_012_400, fps: 30, keyframeIntervalSeconds: 2 },
  lastMediaAt: now - 20,
  nominalFps: 30,
  typicalSegmentSeconds: 2,
  renditions: [],
  playback: [],
  pageId: undefined,
};

/** A minute of one click without any trouble. */
export const oneClickRunning: Extract<OneClickState, { kind: 'running' }> = {
  kind: 'running',
  source: testSource,
  encode: { kind: 'automatic' },
  settings: encodePresets['720p30'],
  away: [],
  since: now - 60_000,
  encodeFps: 30,
  encodeSpeed: 1,
  queueMs: 12,
  droppedFrames: 0,
  steadySince: now - 60_000,
};

/** An encoder that was lost five seconds ago. */
export const lostFor = { kind: 'reconnecting', since: 0, sessionId: 'a', lostAt: now - 5_000 } as const;

const sums = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 1_800 };
/** A page's monitor that plays nothing new, though media arrives. */
export const frozen: HealthFacts['playback'][number] = {
  pageId: 'here',
  report: { state: 'stalled', holdSeconds: 4, ...sums },
  recent: sums,
  isStarted: true,
  isSettled: true,
};
