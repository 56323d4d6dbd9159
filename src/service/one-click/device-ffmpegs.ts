import { z } from 'zod';
import { DeviceKind } from '../../shared/model/capture.ts';
import { type DeviceFfmpegs, type InputDevice, inputDeviceFor } from '../capture/system-inputs.ts';
import { runToEnd } from '../lib/run-to-end.ts';
import { findFfmpegInstallCommand } from '../media-tools/ffmpeg-install-command.ts';
import { findOtherFfmpegs } from '../media-tools/find-ffmpeg.ts';
import { askOncePerBuild } from '../transcode/build-cache.ts';

interface Ffmpeg {
  path: string;
  version: string;
}

/** The search, as tests change it. */
interface Search {
  usual: Ffmpeg;
  dataFolder: string;
  findOthers?: (usualPath: string) => Promise<Ffmpeg[]>;
  platform?: NodeJS.Platform;
  installCommand?: string | undefined;
}

/**
 * Finds the ffmpeg for each input device that captures use on this system: the usual one if it has it, else the first other one.
 * Static builds for Linux, like ffmpeg-static's, have no PulseAudio, and some have no X11; a system's own has both. The others are
 * looked for only if needed.
 */
export async function findDeviceFfmpegs(search: Search): Promise<DeviceFfmpegs> {
  const { usual, dataFolder, findOthers = findOtherFfmpegs, platform = process.platform } = search;
  const needed = new Set(DeviceKind.options.flatMap((kind) => inputDeviceFor(kind, platform) ?? []));
  const paths = new Map<InputDevice, string>();
  const take = async (ffmpeg: Ffmpeg, name: string) => {
    const inputs = await askForInputs(ffmpeg, dataFolder, name);
    for (const device of needed) {
      // Try an ffmpeg that doesn't list its devices: its own error explains more than we can.
      if (!paths.has(device) && (inputs?.includes(device) ?? true)) paths.set(device, ffmpeg.path);
    }
  };
  await take(usual, 'input-devices.json');
  if (paths.size < needed.size) {
    for (const [index, other] of (await findOthers(usual.path)).entries()) await take(other, `input-devices-${index + 1}.json`);
  }
  const installCommand = 'installCommand' in search ? search.installCommand : findFfmpegInstallCommand('any');
  return { paths, installCommand };
}

const Inputs = z.strictObject({ inputs: z.array(z.string()).optional() });

/** The input devices of an ffmpeg, asked once per build; undefined if it doesn't say. */
async function askForInputs(ffmpeg: Ffmpeg, dataFolder: string, name: string): Promise<readonly string[] | undefined> {
  const { inputs } = await askOncePerBuild({
    name,
    dataFolder,
    ffmpeg,
    found: Inputs,
    ask: async () => {
      const { stdout } = await runToEnd(ffmpeg.path, ['-hide_banner', '-devices'], { timeoutMs: 5_000 });
      const listed = parseInputDevices(stdout.toString('utf8'));
      return { found: listed === undefined ? {} : { inputs: listed }, keep: listed !== undefined };
    },
  });
  return inputs;
}

/** Reads ffmpeg's list of devices: lines like ` DE video4linux2,v4l2 Video4Linux2 output device`, with D for inputs. */
export function parseInputDevices(text: string): string[] | undefined {
  if (!text.includes('Devices:')) return undefined;
  return [...text.matchAll(/^ D[E ] +(\S+)/gm)].flatMap(([, names = '']) => names.split(','));
}
