import { z } from 'zod';
import { DeviceKind, type ListedDevice } from '../../../shared/model/capture.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { findX11Display } from '../system/linux.ts';
import { type DeviceFfmpegs, ffmpegFor } from '../system-inputs.ts';
import type { FoundDevices } from './found-devices.ts';
import { LinuxCameras } from './linux-cameras.ts';
import { nameTwins } from './name-twins.ts';
import { runProgram, textOf } from './run-program.ts';
import { listX11Devices } from './x11/x11-devices.ts';

/**
 * The devices of a Linux computer: X11's screens and windows, Video4Linux's cameras, PulseAudio's or PipeWire's sources. Devices that no
 * ffmpeg can open are left to pages.
 *
 * @param linuxCameras remembers from look to look which camera has which id
 */
export async function listLinuxDevices(
  { paths, installCommand }: DeviceFfmpegs,
  linuxCameras = new LinuxCameras(),
): Promise<FoundDevices> {
  const display = findX11Display();
  const isX11 = display !== undefined;
  const [desktop, cameras, sources] = await Promise.all([
    isX11 && paths.has('x11grab') ? listX11Devices(display) : { screens: [], windows: [] },
    paths.has('v4l2') ? linuxCameras.list() : [],
    listSources(paths.get('pulse')),
  ]);
  const kinds = DeviceKind.options.filter((kind) => ffmpegFor(kind, { paths }) === undefined && (isX11 || !isOfDesktop(kind)));
  const by = (kind: DeviceKind) => (kinds.includes(kind) || (isOfDesktop(kind) && !isX11) ? 'page' : 'service');
  return {
    ...desktop,
    cameras,
    ...sources,
    by: {
      screen: by('screen'),
      window: by('window'),
      camera: by('camera'),
      microphone: by('microphone'),
      system: by('system'),
    },
    ...(kinds.length > 0 && { lacking: { kinds, ...(installCommand !== undefined && { installCommand }) } }),
  };
}

const isOfDesktop = (kind: DeviceKind) => kind === 'screen' || kind === 'window';

type Sources = Pick<FoundDevices, 'microphones' | 'systemSounds'>;

const unknownSources: Sources = { microphones: undefined, systemSounds: undefined };

/**
 * From `pactl`, which knows which sources are muted. From ffmpeg if there is no `pactl`, or only one without JSON output. A sound server
 * that `pactl` can't reach isn't there for ffmpeg either, and each start of ffmpeg takes 0.1 s of processor time.
 */
async function listSources(ffmpegPath: string | undefined): Promise<Sources> {
  if (ffmpegPath === undefined) return { microphones: [], systemSounds: [] };
  const [sources, defaultSource] = await Promise.all([
    runProgram('pactl', ['-f', 'json', 'list', 'sources']),
    runProgram('pactl', ['get-default-source']),
  ]);
  if (sources.kind === 'printed') {
    const names = sources.text.includes(hiddenName) ? await readSourceNames() : undefined;
    return parsePulseSources(sources.text, (textOf(defaultSource) ?? '').trim(), names);
  }
  if (sources.kind === 'failed' && (await knowsJson())) return unknownSources;
  return parseFfmpegSources(textOf(await runProgram(ffmpegPath, ['-hide_banner', '-sources', 'pulse'])) ?? '');
}

/** Whether this `pactl` takes the option for JSON; PulseAudio's has it since version 16. It needs no sound server to answer. */
const knowsJson = async (): Promise<boolean> => (await runProgram('pactl', ['-f', 'json', '--version'])).kind === 'printed';

/** What PulseAudio 16 writes into JSON for a text that has any character beyond ASCII. */
const hiddenName = '"(null)"';

/** The name of each source by its id, from `pactl list sources`, which writes any character. */
async function readSourceNames(): Promise<ReadonlyMap<string, string>> {
  const text = textOf(await runProgram('pactl', ['list', 'sources'])) ?? '';
  return new Map([...text.matchAll(/^\tName: (.*)\n\tDescription: (.*)$/gm)].map(([, id = '', name = '']) => [id, name]));
}

const PulseSources = z.array(
  z.object({ name: z.string(), description: z.string(), mute: z.boolean(), monitor_source: z.string().optional() }),
);

/**
 * Reads `pactl -f json list sources`. The monitor of a sink has the system sound that plays there. Other texts are ignored.
 *
 * @param names by id; these are better than those in the JSON
 */
export function parsePulseSources(json: string, defaultName: string, names?: ReadonlyMap<string, string>): Sources {
  const sources = PulseSources.safeParse(parseJson(json)).data;
  if (sources === undefined) return unknownSources;
  const listed = sources.map(({ name, description, mute }) => ({
    id: name,
    name: names?.get(name) ?? description,
    ...(mute && { isMuted: true }),
    ...(name === defaultName && { isDefault: true }),
  }));
  return splitSources(listed);
}

/** Reads ffmpeg's own list: lines like `* mic [Microphone] (none)`, with a star before the default. */
export function parseFfmpegSources(text: string): Sources {
  if (!text.startsWith('Auto-detected sources') || text.includes('Cannot list sources')) return unknownSources;
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
  return {
    microphones: nameTwins(sources.filter((source) => !isMonitor(source))),
    systemSounds: nameTwins(sources.filter(isMonitor)),
  };
}
