import type { LadderEvent } from '../../src/shared/model/ladder-event.ts';

/** How many frames a ladder has reported as dropped, because its ffmpeg didn't accept them in time. */
export const countDroppedFrames = (events: readonly LadderEvent[]): number =>
  events.reduce((sum, event) => sum + (event.code === 'overflow' ? event.frames : 0), 0);
