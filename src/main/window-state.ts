import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** The smallest window in which every screen is usable, in device-independent pixels. */
export const minimumSize = { width: 900, height: 600 };

const defaultSize = { width: 1280, height: 800 };

/** How much of a remembered window must lie on a display for it to be found and dragged by its title bar. */
const minimumOverlap = { width: 160, height: 80 };

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });
type Bounds = z.infer<typeof Bounds>;

/** Where the window was when it was last open; all in device-independent pixels. */
const WindowState = z.object({ bounds: Bounds, maximized: z.boolean() });
export type WindowState = z.infer<typeof WindowState>;

/** The remembered state; undefined when there is none or the file cannot be read: the window then opens as the first time. */
export function readWindowState(path: string): WindowState | undefined {
  try {
    return WindowState.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Keeps the state; the file is replaced whole, so a crash leaves the old or the new one. */
export function writeWindowState(path: string, state: WindowState): void {
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * Where to open the window so that it can be seen: where it was, if a display is still there, else centred (no `x` and `y`), and
 * no larger than its display.
 *
 * @param workAreas the displays without task bars, the primary one first.
 */
export function placeWindow(
  state: WindowState | undefined,
  workAreas: readonly Bounds[],
): Pick<Bounds, 'width' | 'height'> & Partial<Bounds> {
  const { bounds } = state ?? {};
  const found = bounds && workAreas.find((area) => isReachable(bounds, area));
  const area = found ?? workAreas[0];
  const wanted = bounds ?? defaultSize;
  const size = {
    width: Math.max(minimumSize.width, Math.min(wanted.width, area?.width ?? wanted.width)),
    height: Math.max(minimumSize.height, Math.min(wanted.height, area?.height ?? wanted.height)),
  };
  return bounds && found ? { x: bounds.x, y: bounds.y, ...size } : size;
}

function isReachable(bounds: Bounds, area: Bounds): boolean {
  const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const height = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y);
  // The title bar is at the top: above the display it could not be reached.
  return width >= minimumOverlap.width && height >= minimumOverlap.height && bounds.y >= area.y;
}
