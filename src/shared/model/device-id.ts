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

/** The parts of a screen's id; without a `size` it is the whole display. `:0.0` is the display `:0`. */
export function parseScreenId(id: string): { display: string; monitor?: string; size?: string; offset?: string } {
  const parts = /^(?<display>[^@]+)(?:@(?:(?<monitor>.+) )?(?<size>\d+x\d+)\+(?<offset>-?\d+,-?\d+))?$/.exec(id)?.groups;
  const display = parts?.display ?? id;
  return { ...parts, display: display.replace(/(:\d+)\.0$/, '$1') };
}

/** An X11 window: its number, which changes each time it is opened, and its program. */
export interface X11Window {
  window: number;
  /** The program's class (ICCCM, "WM_CLASS"), `''` if it has none. */
  programClass: string;
  /** The program's process id, if it states one (EWMH, "_NET_WM_PID"): the server reuses the window numbers of programs that have ended. */
  pid?: number | undefined;
}

/** This many characters of a program's class are enough to recognise it. */
const maxClassLength = 200;

/** The id of an X11 window: `0x60000a#4711 Firefox`. */
export function formatWindowId({ window, programClass, pid }: X11Window): string {
  const plainClass = programClass.replace(/\s+/g, ' ').trim().slice(0, maxClassLength);
  return `0x${window.toString(16)}${pid === undefined ? '' : `#${pid}`}${plainClass === '' ? '' : ` ${plainClass}`}`;
}

/** The parts of a window's id; undefined if it isn't X11's. */
export function parseWindowId(id: string): X11Window | undefined {
  const {
    window,
    pid,
    programClass = '',
  } = /^(?<window>0x[0-9a-f]+)(?:#(?<pid>\d+))?(?: (?<programClass>.*))?$/.exec(id)?.groups ?? {};
  if (window === undefined) return undefined;
  return { window: Number(window), programClass, ...(pid !== undefined && { pid: Number(pid) }) };
}

/** ffmpeg's and PulseAudio's names for whatever is the default. */
const defaultSound = /^(default|@DEFAULT_\w+@)$/;

/**
 * Whether a list would contain this device if it were connected: the list of an X display knows no other displays, and a default sound
 * device is listed under its own name.
 */
export function isListable(kind: DeviceKind, listed: readonly ListedDevice[], { id }: Device): boolean {
  if (kind === 'microphone' || kind === 'system') return !defaultSound.test(id);
  if (kind !== 'screen') return true;
  const { display } = parseScreenId(id);
  return listed.some((each) => parseScreenId(each.id).display === display);
}

/** A camera's name without its node. On Linux `Webcam (video4)` tells two cameras of a model apart while both are connected. */
const plainCameraName = (name: string) => name.replace(/ \(video\d+\)$/, '');

/**
 * The listed device that matches a chosen one: a monitor whose size or position has changed, a camera that was chosen by its socket, or
 * the only window of the same program with the same title, which was closed and opened again. No other window of the program matches:
 * nobody has chosen to show it.
 */
export function findListedDevice<Listed extends ListedDevice>(
  kind: DeviceKind,
  listed: readonly Listed[],
  chosen: Device,
): Listed | undefined {
  const same = listed.find(({ id }) => id === chosen.id);
  if (same !== undefined) return same;
  if (kind === 'screen') {
    const { display, monitor, size, offset } = parseScreenId(chosen.id);
    const ofDisplay = listed.map((each) => ({ each, ...parseScreenId(each.id) })).filter((other) => other.display === display);
    const isIt = (other: (typeof ofDisplay)[number]) =>
      monitor === undefined ? other.size === size && other.offset === offset : other.monitor === monitor;
    return ofDisplay.find(isIt)?.each;
  }
  if (kind === 'camera') {
    const ofName = listed.filter(({ name }) => plainCameraName(name) === plainCameraName(chosen.name));
    return ofName.find(({ path }) => path === chosen.id);
  }
  const window = kind === 'window' ? parseWindowId(chosen.id) : undefined;
  if (window === undefined) return undefined;
  const alike = listed.filter(
    ({ id, name }) => name === chosen.name && parseWindowId(id)?.programClass === window.programClass,
  );
  return alike.length === 1 ? alike[0] : undefined;
}
