import type { ListedDevice } from '../../../shared/model/capture.ts';
import type { FoundDevices } from './found-devices.ts';
import { nameTwins } from './name-twins.ts';
import { runProgram, textOf } from './run-program.ts';

const misreadName = /^(\s*[+-]?\d|none|default)|:/;

/** The devices of a Mac. Windows and system sound are captured by a page. */
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
 *
 * ffmpeg takes the beginning of a name for a number, `none` or `default`, ends it at a colon, and opens the first device whose name
 * begins with it (`avf_read_header` in libavdevice/avfoundation.m). A device that ffmpeg wouldn't find by its name is listed with its
 * number, too.
 *
 * ffmpeg tells devices of the same name apart only by order. The first one's id is the name, as if it were alone, so that an earlier choice
 * of it is still found. The others' ids end with a line break and a number, as no name in the list does.
 */
export function parseAvfoundationDevices(text: string): Pick<FoundDevices, 'screens' | 'cameras' | 'microphones'> {
  const [videos = '', audios] = text.split(/AVFoundation audio devices:/);
  if (audios === undefined) return { screens: undefined, cameras: undefined, microphones: undefined };
  const read = (part: string): ListedDevice[] => {
    const listed = [...part.matchAll(/\] \[(\d+)\] (.+?)\s*$/gm)].map(([, index, name = '']) => ({
      index: Number(index),
      name,
    }));
    const devices = listed.map(({ index, name }) => {
      const isMisread = misreadName.test(name) || listed.some((other) => other.index !== index && other.name.startsWith(name));
      return { id: name, name, ...(isMisread && { index }) };
    });
    return nameTwins(devices, ({ id }, place) => (place === 1 ? id : `${id}\n${place}`));
  };
  const isScreen = ({ name }: { name: string }) => /^Capture screen \d+$/.test(name);
  const listed = read(videos);
  return {
    screens: listed.filter(isScreen),
    cameras: listed.filter((device) => !isScreen(device)),
    microphones: read(audios),
  };
}
