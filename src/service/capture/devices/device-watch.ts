import { isDeepStrictEqual } from 'node:util';
import type { DeviceList, ListedDevice } from '../../../shared/model/capture.ts';
import { findListedDevice, isListable } from '../../../shared/model/device-id.ts';
import { createEventSource } from '../../lib/event-source.ts';
import { reportFault, runHarmlessly } from '../../lib/faults.ts';
import type { DeviceFfmpegs, DevicePicture, DeviceSound } from '../system-inputs.ts';
import { type FoundDevices, findList, mergeFound, toDeviceList } from './found-devices.ts';
import { LinuxCameras } from './linux-cameras.ts';
import { listLinuxDevices } from './linux-devices.ts';
import { listMacDevices } from './mac-devices.ts';
import { SeenWindows } from './seen-windows.ts';
import { listWindowsDevices } from './windows-devices.ts';

/** How often devices are looked for while somebody wants to know. Linux needs no ffmpeg for that, so it costs little. */
const pollMs = process.platform === 'linux' ? 2_000 : 5_000;

/** Lists the devices of the system that this runs on. */
function listDevices(ffmpegs: DeviceFfmpegs, linuxCameras: LinuxCameras): Promise<FoundDevices> {
  if (process.platform === 'darwin') return listMacDevices(ffmpegs.paths.get('avfoundation'));
  if (process.platform === 'win32') return listWindowsDevices(ffmpegs.paths.get('dshow'));
  return listLinuxDevices(ffmpegs, linuxCameras);
}

/** The devices of this computer, listed repeatedly while anybody listens. */
export class DeviceWatch {
  readonly #changes = createEventSource<void>();
  readonly #list: () => Promise<FoundDevices>;
  readonly #pollMs: number;
  #listeners = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;
  readonly #windows = new SeenWindows();
  #found: FoundDevices | undefined;
  #devices: DeviceList | undefined;

  /** @param findFfmpegs finds the ffmpegs that capture; resolves once they are known */
  constructor(
    findFfmpegs: () => Promise<DeviceFfmpegs>,
    options: { list?: () => Promise<FoundDevices>; pollMs?: number } = {},
  ) {
    const linuxCameras = new LinuxCameras();
    this.#list = options.list ?? (async () => listDevices(await findFfmpegs(), linuxCameras));
    this.#pollMs = options.pollMs ?? pollMs;
  }

  /** Undefined before the first look. */
  get devices(): DeviceList | undefined {
    return this.#devices;
  }

  /** The device of a source as it was last listed. `missing`: it was not; undefined as long as such devices can't be listed. */
  find({ kind, device }: Pick<DevicePicture | DeviceSound, 'kind' | 'device'>): ListedDevice | 'missing' | undefined {
    const listed = this.#found && findList(this.#found, kind);
    if (listed === undefined) return undefined;
    const now = kind === 'window' ? this.#windows.find(listed, device) : findListedDevice(kind, listed, device);
    return now ?? (isListable(kind, listed, device) ? 'missing' : undefined);
  }

  /** Looks now. Resolves, never rejects, once that look is done, or one that is under way. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
      clearTimeout(this.#timer);
      if (this.#listeners > 0 && !this.#isClosed) this.#timer = setTimeout(() => this.#lookLater(), this.#pollMs);
    });
    return this.#looking;
  }

  /** Calls the listener when devices come, go or are muted, until the result is called. */
  readonly onChange = (listener: () => void): (() => void) => {
    const off = this.#changes.on(listener);
    this.#listeners += 1;
    if (this.#listeners === 1) this.#lookLater();
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

  /** Starts a look that nobody waits for. */
  #lookLater(): void {
    runHarmlessly(() => this.look(), 'looking for devices');
  }

  async #lookOnce(): Promise<void> {
    try {
      const seen = await this.#list();
      if (seen.windows !== undefined) this.#windows.note(seen.windows);
      const found = mergeFound(this.#found, seen);
      const isNews = !isDeepStrictEqual(found, this.#found);
      this.#found = found;
      if (!isNews) return;
      this.#devices = toDeviceList(found);
      this.#changes.emit();
    } catch (error) {
      reportFault(error, 'looking for devices');
    }
  }
}
