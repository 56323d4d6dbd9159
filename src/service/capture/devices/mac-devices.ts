import type { ListedDevice } from '../../../shared/model/capture.ts';
import type { FoundDevices } from './found-devices.ts';
import { runProgram, textOf } from './run-program.ts';

/** The devices of a Mac. Windows and what the computer plays are captured by a page. */
export async function listMacDevices(ffmpegPath: string | undefined): Promise<FoundDevices> {
  const args = ['-hide_banner', '-f', 'avfoundation', '-list_devices', 'true', '-i', ''];
  const text = ffmpegPath === undefined ? undefined : textOf(await runProgram(ffmpegPath, args, { from: 'stderr' }));
  return {
    ...parseAvfoundationDevices(text ?? ''),
    windows: [],
    systemSounds: [],
    by: { screen: 'service', window: 'page', camera: 'service', microphone: 'service', system: 'page' },
  };
}

/**
 * Reads ffmpeg's list: `[AVFoundation indev @ 0x…] [0] FaceTime HD Camera`, videos first. Screens are among them. The
 * numbers change when devices come and go, so the names are the ids. Any other text says nothing about devices.
 */
export function parseAvfoundationDevices(text: string): Pick<FoundDevices, 'screens' | 'cameras' | 'microphones'> {
  const [videos = '', audios] = text.split(/AVFoundation audio devices:/);
  if (audios === undefined) return { screens: undefined, cameras: undefined, microphones: undefined };
  const read = (part: string): ListedDevice[] =>
    [...part.matchAll(/\] \[\d+\] (.+?)\s*$/gm)].map(([, name = '']) => ({ id: name, name }));
  const isScreen = ({ name }: { name: string }) => /^Capture screen \d+$/.test(name);
  const listed = read(videos);
  return {
    screens: listed.filter(isScreen),
    cameras: listed.filter((device) => !isScreen(device)),
    microphones: read(audios),
  };
}
