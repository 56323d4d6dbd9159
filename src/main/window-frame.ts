import type { Bounds } from './window-state.ts';

/** The thickest frame that a window manager is believed to draw, in device-independent pixels. */
const maxFrame = { left: 32, top: 96 };

/**
 * By how much a window is further right and down than it was asked to be: the frame that an X11 window manager draws.
 *
 * There Electron takes positions of the frame and tells positions of what is in it: a window put where it says it was creeps down by
 * its frame each time. A larger difference is no frame, but a manager that puts windows where it likes.
 */
export function measureFrame(asked: Bounds, found: Bounds): { x: number; y: number } {
  const frame = { x: found.x - asked.x, y: found.y - asked.y };
  const isFrame = frame.x >= 0 && frame.x <= maxFrame.left && frame.y >= 0 && frame.y <= maxFrame.top;
  return isFrame ? frame : { x: 0, y: 0 };
}
