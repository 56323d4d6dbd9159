import { cutText } from '../../../../shared/cut-text.ts';
import type { ListedDevice } from '../../../../shared/model/capture.ts';
import { formatScreenId, formatWindowId } from '../../../../shared/model/device-id.ts';
import type { FoundDevices } from '../found-devices.ts';
import { openXConnection, type XConnection } from './x-connection.ts';
import { findAtom, findFacts, listChildren, listMonitors, readProperty, type WindowFacts } from './x-requests.ts';

/** Windows smaller than this are menus and helpers. */
const minWindowSide = 64;
/** How deep programs' windows are nested inside a window manager's. */
const maxDepth = 4;

/** Numbers of properties that every server knows (X Window System Protocol, version 11, appendix B). */
const wmName = 39;
const wmClass = 67;

/** The screens and windows of an X display. If the server can't be reached, nothing is known, since ffmpeg may still reach it. */
export async function listX11Devices(
  display: string,
): Promise<Pick<FoundDevices, 'screens' | 'windows' | 'assumedScreens' | 'furtherScreens'>> {
  try {
    using x = await openXConnection(display);
    return { ...(await listScreens(x, display)), windows: await listWindows(x) };
  } catch {
    const assumedScreens = [{ id: display, name: 'Whole screen' }];
    return { screens: undefined, windows: undefined, assumedScreens };
  }
}

/** The display as a whole, and its monitors. A single one shows the same. */
async function listScreens(x: XConnection, display: string): Promise<Pick<FoundDevices, 'screens' | 'furtherScreens'>> {
  const { width, height } = x.screen;
  const whole = { id: display, name: `Whole screen, ${width} × ${height}`, width, height };
  const monitors = (await listMonitors(x)).map((monitor) => ({
    id: formatScreenId(display, monitor),
    name: `${monitor.name}, ${monitor.width} × ${monitor.height}`,
    width: monitor.width,
    height: monitor.height,
  }));
  return monitors.length > 1 ? { screens: [whole, ...monitors] } : { screens: [whole], furtherScreens: monitors };
}

interface Atoms {
  clientList: number;
  netName: number;
  state: number;
  type: number;
  pid: number;
  /** Types of windows that are part of the desktop. */
  desktopTypes: readonly number[];
}

async function findAtoms(x: XConnection): Promise<Atoms> {
  const find = (name: string) => findAtom(x, name);
  const [clientList, netName, state, type, pid, desktopTypes] = await Promise.all([
    find('_NET_CLIENT_LIST'),
    find('_NET_WM_NAME'),
    find('WM_STATE'),
    find('_NET_WM_WINDOW_TYPE'),
    find('_NET_WM_PID'),
    Promise.all([find('_NET_WM_WINDOW_TYPE_DESKTOP'), find('_NET_WM_WINDOW_TYPE_DOCK')]),
  ]);
  return { clientList, netName, state, type, pid, desktopTypes };
}

async function listWindows(x: XConnection): Promise<ListedDevice[]> {
  const atoms = await findAtoms(x);
  // Programs' own windows, as a window manager lists them (EWMH, "_NET_CLIENT_LIST").
  const managed = toNumbers(await readProperty(x, x.screen.root, atoms.clientList));
  const listed =
    managed.length > 0
      ? await Promise.all(managed.map(async (window) => describe(x, window, atoms, await findFacts(x, window))))
      : await walk(x, x.screen.root, atoms, 1);
  return listed.filter((window) => window !== undefined);
}

/** Without such a list: windows that a window manager keeps, even minimised (ICCCM, "WM_STATE"), or else those with a name and pixels. */
async function walk(x: XConnection, parent: number, atoms: Atoms, depth: number): Promise<(ListedDevice | undefined)[]> {
  const children = (await listChildren(x, parent)) ?? [];
  const found = await Promise.all(
    children.map(async (window) => {
      const facts = await findFacts(x, window);
      if (facts === undefined || facts.isUnmanaged) return [];
      const isManaged = (await readProperty(x, window, atoms.state)) !== undefined;
      const own = isManaged || facts.isViewable ? await describe(x, window, atoms, facts) : undefined;
      if (own !== undefined) return [own];
      return depth < maxDepth ? walk(x, window, atoms, depth + 1) : [];
    }),
  );
  return found.flat();
}

/** A program's window as people know it; undefined if it has no name, is too small, or is part of the desktop. */
async function describe(
  x: XConnection,
  window: number,
  atoms: Atoms,
  facts: WindowFacts | undefined,
): Promise<ListedDevice | undefined> {
  if (facts === undefined || Math.min(facts.width, facts.height) < minWindowSide) return undefined;
  const [netName, name, classes, type, pids] = await Promise.all(
    [atoms.netName, wmName, wmClass, atoms.type, atoms.pid].map((property) => readProperty(x, window, property)),
  );
  const title = (netName?.toString('utf8') || name?.toString('latin1') || '').replace(/\0.*$/s, '').trim();
  if (title === '' || toNumbers(type).some((one) => atoms.desktopTypes.includes(one))) return undefined;
  // The instance and the class, each with a zero at its end (ICCCM, "WM_CLASS").
  const [, programClass = ''] = (classes?.toString('latin1') ?? '').split('\0');
  return {
    id: formatWindowId({ window, programClass, pid: toNumbers(pids)[0] }),
    name: cutText(title, 1024),
    width: facts.width,
    height: facts.height,
    ...(!facts.isViewable && { isHidden: true }),
  };
}

function toNumbers(property: Buffer | undefined): number[] {
  return Array.from({ length: (property?.length ?? 0) >> 2 }, (_, index) => property?.readUInt32LE(index * 4) ?? 0);
}
