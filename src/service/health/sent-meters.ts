import type { Meters, OneClickState } from '../../shared/model/live.ts';

/** Dropped frames are counted over this many milliseconds; below the minimum their share says nothing, as in `DroppedFrames`. */
const windowMs = 60_000;
const minWindowMs = 10_000;

/** The meters of a broadcast that one click sends to another computer, as measured here; undefined while it sends nothing. */
export function describeSent(oneClick: OneClickState, now: number): Meters | undefined {
  if (oneClick.kind !== 'running') return undefined;
  const { settings, since, sentBps, encodeFps, droppedFrames } = oneClick;
  const { width, height, fps, videoBitrateBps, audioBitrateBps, keyframeSeconds } = settings;
  const spanMs = Math.min(now - since, windowMs);
  const ratio = (droppedFrames * 1000) / (spanMs * fps);
  return {
    measuredAt: now,
    bitrateBps: sentBps,
    fps: encodeFps,
    droppedFrames: spanMs < minWindowMs ? undefined : { count: droppedFrames, ratio },
    width,
    height,
    keyframeIntervalSeconds: keyframeSeconds,
    targetBitrateBps: videoBitrateBps + audioBitrateBps,
  };
}
