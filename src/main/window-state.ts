import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../service/lib/read-error.ts';

/** The smallest window in which every screen works without scrolling, in device-independent pixels. */
const minimumSize = { width: 900, height: 600 };

/**
 * Room for the frame of an X11 window manager, which the window's size excludes. A manager shrinks a window to fit only down to
 * its minimum.
 */
const frameRoom = { width: 16, height: 48 };

const defaultSize = { width: 1280, height: 800 };

/** How much of a remembered window must be on a display, so that it can be found and dragged by its title bar. */
const minimumOverlap = { width: 160, height: 80 };

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });
export type Bounds = z.infer<typeof Bounds>;

/** The window's last state, in device-independent pixels. */
const WindowState = z.object({ bounds: Bounds, maximized: z.boolean() });
export type WindowState = z.infer<typeof WindowState>;

/**
 * The remembered state; undefined if there is none or it can't be read, and the window then opens at its default.
 *
 * @param onTrouble called with the reason an existing file couldn't be read.
 */
export function readWindowState(path: string, onTrouble: (error: unknown) => void): WindowState | undefined {
  try {
    return WindowState.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') onTrouble(error);
    return undefined;
  }
}

/**
 * Saves the state. The file is replaced atomically, so a crash leaves the old or the new one. Never throws.
 *
 * @param onTrouble called with the reason it couldn't be written: a full disk must not crash the app as its window closes.
 */
export function writeWindowState(path: string, state: WindowState, onTrouble: (error: unknown) => void): void {
  try {
    writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    onTrouble(error);
  }
}

/**
 * Where to open the window so that it is visible: where it was, if a display is still there, else centred on the primary one.
 * It is never larger than its display, which also limits its minimum size.
 *
 * @param workAreas the displays without task bars, the primary one first.
 */
export function placeWindow(
  state: WindowState | undefined,
  workAreas: readonly [Bounds, ...Bounds[]],
): Bounds & { minWidth: number; minHeight: number } {
  const { bounds } = state ?? {};
  const found = bounds && workAreas.find((area) => isReachable(bounds, area));
  const area = found ?? workAreas[0];
  const wanted = bounds ?? defaultSize;
  const minWidth = Math.min(minimumSize.width, area.width - frameRoom.width);
  const minHeight = Math.min(minimumSize.height, area.height - frameRoom.height);
  const width = Math.max(minWidth, Math.min(wanted.width, area.width));
  const height = Math.max(minHeight, Math.min(wanted.height, area.height));
  const middle = { x: area.x + Math.round((area.width - width) / 2), y: area.y + Math.round((area.height - height) / 2) };
  const { x, y } = bounds && found ? bounds : middle;
  return { x, y, width, height, minWidth, minHeight };
}

function isReachable(bounds: Bounds, area: Bounds): boolean {
  const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const height = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y);
  // The title bar is at the top: above the display it would be out of reach.
  return width >= minimumOverlap.width && height >= minimumOverlap.height && bounds.y >= area.y;
}
