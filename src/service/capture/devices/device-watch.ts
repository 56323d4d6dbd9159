import { isDeepStrictEqual } from 'node:util';
import type { DeviceList, ListedDevice } from '../../../shared/model/capture.ts';
import { createEventSource } from '../../lib/event-source.ts';
import { reportFault } from '../../lib/faults.ts';
import type { DevicePicture, DeviceSound } from '../system-inputs.ts';
import { listLinuxDevices } from './linux-devices.ts';
import { listMacDevices } from './mac-devices.ts';
import { listWindowsDevices } from './windows-devices.ts';

/** How often devices are looked for while somebody wants to know. Linux needs no ffmpeg for that, so it costs little. */
const pollMs = process.platform === 'linux' ? 2_000 : 5_000;

/** Lists the devices of the system that this runs on. */
function listDevices(ffmpegPath: string | undefined): Promise<DeviceList> {
  if (process.platform === 'darwin') return listMacDevices(ffmpegPath);
  return process.platform === 'win32' ? listWindowsDevices(ffmpegPath) : listLinuxDevices(ffmpegPath);
}

const listOf = {
  screen: 'screens',
  window: 'windows',
  camera: 'cameras',
  microphone: 'microphones',
  system: 'systemSounds',
} as const satisfies Record<(DevicePicture | DeviceSound)['kind'], keyof DeviceList>;

/** The devices of this computer, listed repeatedly while anybody listens. */
export class DeviceWatch {
  readonly #changes = createEventSource<void>();
  readonly #list: () => Promise<DeviceList>;
  readonly #pollMs: number;
  #listeners = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;
  #devices: DeviceList | undefined;

  /** @param findFfmpeg the path of ffmpeg, once it is known; undefined if there is none */
  constructor(
    findFfmpeg: () => Promise<string | undefined>,
    options: { list?: () => Promise<DeviceList>; pollMs?: number } = {},
  ) {
    this.#list = options.list ?? (async () => listDevices(await findFfmpeg()));
    this.#pollMs = options.pollMs ?? pollMs;
  }

  /** Undefined before the first look. */
  get devices(): DeviceList | undefined {
    return this.#devices;
  }

  /** The device of a source as it is listed now. `missing`: it is not; undefined before the first look. */
  find({ kind, device }: Pick<DevicePicture | DeviceSound, 'kind' | 'device'>): ListedDevice | 'missing' | undefined {
    return this.#devices && (this.#devices[listOf[kind]].find(({ id }) => id === device.id) ?? 'missing');
  }

  /** Calls the listener when devices come, go or are muted, until the result is called. */
  readonly onChange = (listener: () => void): (() => void) => {
    const off = this.#changes.on(listener);
    this.#listeners += 1;
    if (this.#listeners === 1) this.#look();
    return () => {
      off();
      this.#listeners -= 1;
      if (this.#listeners === 0) clearTimeout(this.#timer);
    };
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#list()
      .then((devices) => {
        const isNews = !isDeepStrictEqual(devices, this.#devices);
        this.#devices = devices;
        if (isNews) this.#changes.emit();
      })
      .catch((error: unknown) => reportFault(error, 'looking for devices'))
      .finally(() => {
        this.#isLooking = false;
        clearTimeout(this.#timer);
        if (this.#listeners > 0 && !this.#isClosed) this.#timer = setTimeout(() => this.#look(), this.#pollMs);
      });
  }
}
