import type { DeviceList } from '../../../shared/model/capture.ts';
import { runProgram } from './run-program.ts';

/** The devices of a Mac. Windows and what the computer plays are captured by a page. */
export async function listMacDevices(ffmpegPath: string | undefined): Promise<DeviceList> {
  const args = ['-hide_banner', '-f', 'avfoundation', '-list_devices', 'true', '-i', ''];
  const text = ffmpegPath === undefined ? '' : await runProgram(ffmpegPath, args, 'stderr');
  return {
    ...parseAvfoundationDevices(text),
    windows: [],
    systemSounds: [],
    by: { screen: 'service', window: 'page', camera: 'service', microphone: 'service', system: 'page' },
  };
}

/**
 * Reads ffmpeg's list: `[AVFoundation indev @ 0x…] [0] FaceTime HD Camera`, videos first. Screens are among them. The
 * numbers change when devices come and go, so the names are the ids.
 */
export function parseAvfoundationDevices(text: string): Pick<DeviceList, 'screens' | 'cameras' | 'microphones'> {
  const [videos = '', audios = ''] = text.split(/AVFoundation audio devices:/);
  const read = (part: string) => [...part.matchAll(/\] \[\d+\] (.+?)\s*$/gm)].map(([, name = '']) => ({ id: name, name }));
  const isScreen = ({ name }: { name: string }) => /^Capture screen \d+$/.test(name);
  const listed = read(videos);
  return {
    screens: listed.filter(isScreen),
    cameras: listed.filter((device) => !isScreen(device)),
    microphones: read(audios),
  };
}
