import type { Bounds } from './window-state.ts';

/** The thickest frame attributed to a window manager, in device-independent pixels. */
const maxFrame = { left: 32, top: 96 };

/**
 * How much further right and down a window is than requested: the frame that an X11 window manager draws.
 *
 * There Electron sets positions of the frame but reads positions of the content, so a window restored to its reported position
 * creeps down each time. A larger difference isn't a frame, but a manager that places windows itself.
 */
export function measureFrame(asked: Bounds, found: Bounds): { x: number; y: number } {
  const frame = { x: found.x - asked.x, y: found.y - asked.y };
  const isFrame = frame.x >= 0 && frame.x <= maxFrame.left && frame.y >= 0 && frame.y <= maxFrame.top;
  return isFrame ? frame : { x: 0, y: 0 };
}
