import type { DeviceKind, ListedDevice } from './capture.ts';
import type { Device } from './source.ts';

/** A monitor of an X11 display: the display's name, the monitor's, and the part of the display that it shows. */
export interface X11Monitor {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The id of a monitor: `:0@HDMI-1 1920x1080+1920,0`. A display as a whole has its name, `:0`. */
export function formatScreenId(display: string, { name, x, y, width, height }: X11Monitor): string {
  return `${display}@${name} ${width}x${height}+${x},${y}`;
}

/** The parts of a screen's id; without a `size` it is the whole display. */
export function parseScreenId(id: string): { display: string; monitor?: string; size?: string; offset?: string } {
  const parts = /^(?<display>[^@]+)(?:@(?:(?<monitor>.+) )?(?<size>\d+x\d+)\+(?<offset>-?\d+,-?\d+))?$/.exec(id)?.groups;
  return { display: id, ...parts };
}

/** The id of an X11 window: its number, and the class of its program, `0x60000a Firefox`. The number is another one each time. */
export function formatWindowId(window: number, programClass: string): string {
  return `0x${window.toString(16)}${programClass === '' ? '' : ` ${programClass}`}`;
}

/** The parts of a window's id; undefined of one that isn't X11's. */
export function parseWindowId(id: string): { window: number; programClass: string } | undefined {
  const { window, programClass = '' } = /^(?<window>0x[0-9a-f]+)(?: (?<programClass>.*))?$/.exec(id)?.groups ?? {};
  return window === undefined ? undefined : { window: Number(window), programClass };
}

/**
 * The listed device that a chosen one is now: a monitor whose size or place has changed, and a window of the same program and title that
 * was closed and opened again. Another window of the program is not it: nobody has chosen to show that one.
 */
export function findListedDevice<Listed extends ListedDevice>(
  kind: DeviceKind,
  listed: readonly Listed[],
  chosen: Device,
): Listed | undefined {
  const same = listed.find(({ id }) => id === chosen.id);
  if (same !== undefined) return same;
  if (kind === 'screen') {
    const { display, monitor } = parseScreenId(chosen.id);
    const isIt = (other: ReturnType<typeof parseScreenId>) => other.display === display && other.monitor === monitor;
    return monitor === undefined ? undefined : listed.find(({ id }) => isIt(parseScreenId(id)));
  }
  const window = kind === 'window' ? parseWindowId(chosen.id) : undefined;
  if (window === undefined) return undefined;
  return listed.find(({ id, name }) => name === chosen.name && parseWindowId(id)?.programClass === window.programClass);
}
