import type { Meters, OneClickState } from '../../shared/model/live.ts';

/** What is measured here of a broadcast that one click sends to another computer; undefined while it sends nothing. */
export function describeSent(oneClick: OneClickState, now: number): Meters | undefined {
  if (oneClick.kind !== 'running') return undefined;
  const { settings, sentBps, encodeFps, droppedFrames } = oneClick;
  const { width, height, fps, videoBitrateBps, audioBitrateBps, keyframeSeconds } = settings;
  return {
    measuredAt: now,
    bitrateBps: sentBps,
    fps: encodeFps,
    droppedFrames: { count: droppedFrames, ratio: droppedFrames / (60 * fps) },
    width,
    height,
    keyframeIntervalSeconds: keyframeSeconds,
    targetBitrateBps: videoBitrateBps + audioBitrateBps,
  };
}
