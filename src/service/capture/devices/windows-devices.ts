import type { ListedDevice } from '../../../shared/model/capture.ts';
import type { FoundDevices } from './found-devices.ts';
import { nameTwins } from './name-twins.ts';
import { runProgram, textOf } from './run-program.ts';

/** The devices of a Windows computer. Windows and system sound are captured by a page. */
export async function listWindowsDevices(ffmpegPath: string | undefined): Promise<FoundDevices> {
  const ask = async (args: readonly string[], from: 'stdout' | 'stderr') =>
    ffmpegPath === undefined ? undefined : textOf(await runProgram(ffmpegPath, ['-hide_banner', ...args], { from }));
  const [devices, help] = await Promise.all([
    ask(['-f', 'dshow', '-list_devices', 'true', '-i', 'dummy'], 'stderr'),
    ask(['-h', 'filter=ddagrab'], 'stdout'),
  ]);
  return {
    screens: help === undefined ? undefined : listScreens(help),
    windows: [],
    ...parseDshowDevices(devices ?? ''),
    systemSounds: [],
    by: { screen: 'service', window: 'page', camera: 'service', microphone: 'service', system: 'page' },
  };
}

/**
 * The screens, judged by ffmpeg's help for its source `ddagrab`, the first choice for one screen. Neither it nor `gdigrab` lists the
 * screens: the first is the main one.
 */
export function listScreens(help: string): ListedDevice[] {
  return help.startsWith('Filter ddagrab')
    ? [
        { id: 'ddagrab:0', name: 'Main screen' },
        { id: 'desktop', name: 'All screens' },
      ]
    : [{ id: 'desktop', name: 'Whole screen' }];
}

/**
 * Reads ffmpeg's list. Since 5.0 each line says what it is, `"Capture card" (audio, video)`; before, headings did. A device's other name
 * is unique but unreadable, so it is the id. A text that isn't DirectShow's is ignored.
 */
export function parseDshowDevices(text: string): Pick<FoundDevices, 'cameras' | 'microphones'> {
  if (!/\] (?:DirectShow | *"|Could not enumerate )/.test(text)) return { cameras: undefined, microphones: undefined };
  const cameras: ListedDevice[] = [];
  const microphones: ListedDevice[] = [];
  let heading = '';
  let open: ListedDevice | undefined;
  for (const line of text.split('\n')) {
    heading = /DirectShow (video|audio) devices/.exec(line)?.[1] ?? heading;
    const other = /Alternative name "(.+)"/.exec(line)?.[1];
    if (other !== undefined) {
      if (open) open.id = other;
      open = undefined;
      continue;
    }
    const [, name, types = heading] = /\] +"(.+)"(?: \((\w+(?:, \w+)*)\))?\s*$/.exec(line) ?? [];
    if (name === undefined) continue;
    open = { id: name, name };
    if (types.includes('video')) cameras.push(open);
    if (types.includes('audio')) microphones.push(open);
  }
  return { cameras: nameTwins(cameras), microphones: nameTwins(microphones) };
}
