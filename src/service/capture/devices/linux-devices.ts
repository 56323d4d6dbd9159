import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { DeviceList, ListedDevice } from '../../../shared/model/capture.ts';
import { runProgram } from './run-program.ts';

/** Windows smaller than this are menus and helpers. */
const minWindowSide = 64;

/** The devices of a Linux computer: X11's screens and windows, Video4Linux's cameras, PulseAudio's or PipeWire's sources. */
export async function listLinuxDevices(ffmpegPath: string | undefined): Promise<DeviceList> {
  const { DISPLAY: display, WAYLAND_DISPLAY: wayland } = process.env;
  // Under Wayland, X11 shows only the programs that still use it; the desktop's portal asks instead.
  const isX11 = display !== undefined && display !== '' && (wayland === undefined || wayland === '');
  const [screens, windows, cameras, sources] = await Promise.all([
    isX11 ? listScreens(display) : [],
    isX11 ? listWindows() : [],
    listCameras(),
    listSources(ffmpegPath),
  ]);
  const by = isX11 ? 'service' : 'page';
  return {
    screens,
    windows,
    cameras,
    ...sources,
    by: { screen: by, window: by, camera: 'service', microphone: 'service', system: 'service' },
  };
}

/** The display as a whole, and its monitors where `xrandr` is there to name them. */
async function listScreens(display: string): Promise<ListedDevice[]> {
  const [root, monitors] = await Promise.all([
    runProgram('xwininfo', ['-root']),
    runProgram('xrandr', ['--listactivemonitors']).then(parseMonitors),
  ]);
  const size = /Width: (?<width>\d+)\s+Height: (?<height>\d+)/.exec(root)?.groups;
  if (size === undefined) return [];
  const whole = { id: display, name: `Whole screen, ${size.width} × ${size.height}` };
  return monitors.length > 1
    ? [whole, ...monitors.map(({ name, geometry }) => ({ id: `${display}@${geometry}`, name }))]
    : [whole];
}

/** Reads lines like ` 0: +*eDP-1 1920/344x1080/193+0+0  eDP-1`. */
export function parseMonitors(text: string): { name: string; geometry: string }[] {
  return [...text.matchAll(/^ *\d+: \S+ (\d+)\/\d+x(\d+)\/\d+\+(\d+)\+(\d+) +(\S+)$/gm)].map(
    ([, width, height, x, y, name]) => ({
      name: `${name}, ${width} × ${height}`,
      geometry: `${width}x${height}+${x},${y}`,
    }),
  );
}

async function listWindows(): Promise<ListedDevice[]> {
  return parseWindows(await runProgram('xwininfo', ['-root', '-tree']));
}

/** Reads lines like `     0x400003 "xclock": ("xclock" "XClock")  164x164+0+0  +0+0`; a program's inner windows are left out. */
export function parseWindows(tree: string): ListedDevice[] {
  const windows: ListedDevice[] = [];
  let depthOfFound = Number.POSITIVE_INFINITY;
  for (const [, indent = '', id = '', name = '', width, height] of tree.matchAll(
    /^( +)(0x[0-9a-f]+) (?:"(.*)"|\(has no name\)): \(.*?\)\s+(\d+)x(\d+)[+-]/gm,
  )) {
    if (indent.length > depthOfFound) continue;
    depthOfFound = Number.POSITIVE_INFINITY;
    if (name === '' || Math.min(Number(width), Number(height)) < minWindowSide) continue;
    depthOfFound = indent.length;
    windows.push({ id, name });
  }
  return windows;
}

/** Nodes with index 0 are cameras; a camera's others carry its metadata. */
async function listCameras(folder = '/sys/class/video4linux'): Promise<ListedDevice[]> {
  const nodes = (await readdir(folder).catch(() => [])).sort();
  const read = async (node: string, file: string) =>
    (await readFile(`${folder}/${node}/${file}`, 'utf8').catch(() => '')).trim();
  const found = await Promise.all(
    nodes.map(async (node) => {
      const [name, index] = await Promise.all([read(node, 'name'), read(node, 'index')]);
      return index === '0' ? [{ id: `/dev/${node}`, name: name || node }] : [];
    }),
  );
  return found.flat();
}

type Sources = Pick<DeviceList, 'microphones' | 'systemSounds'>;

/** From `pactl`, which knows what is muted; without it, from ffmpeg. */
async function listSources(ffmpegPath: string | undefined): Promise<Sources> {
  const [sources, defaultName] = await Promise.all([
    runProgram('pactl', ['-f', 'json', 'list', 'sources']),
    runProgram('pactl', ['get-default-source']),
  ]);
  if (sources !== '') return parsePulseSources(sources, defaultName.trim());
  return ffmpegPath === undefined
    ? parseFfmpegSources('')
    : parseFfmpegSources(await runProgram(ffmpegPath, ['-hide_banner', '-sources', 'pulse']));
}

const PulseSources = z.array(
  z.object({ name: z.string(), description: z.string(), mute: z.boolean(), monitor_source: z.string().optional() }),
);

/** Reads `pactl -f json list sources`. The monitor of a sink is what the computer plays there. */
export function parsePulseSources(json: string, defaultName: string): Sources {
  const sources = PulseSources.safeParse(readJson(json)).data ?? [];
  const listed = sources.map(({ name, description, mute }) => ({
    id: name,
    name: description,
    ...(mute && { isMuted: true }),
    ...(name === defaultName && { isDefault: true }),
  }));
  return splitSources(listed);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads ffmpeg's own list: lines like `* mic [Microphone] (none)`, with a star before the default. */
export function parseFfmpegSources(text: string): Sources {
  return splitSources(
    [...text.matchAll(/^([ *]) (\S+) \[(.*)\](?: \(\w+\))?$/gm)].map(([, star, id = '', name = '']) => ({
      id,
      name,
      ...(star === '*' && { isDefault: true }),
    })),
  );
}

function splitSources(sources: readonly ListedDevice[]): Sources {
  const isMonitor = ({ id }: ListedDevice) => id.endsWith('.monitor');
  return { microphones: sources.filter((source) => !isMonitor(source)), systemSounds: sources.filter(isMonitor) };
}
