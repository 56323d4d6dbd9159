import { isDeepStrictEqual } from 'node:util';
import { keepRunning } from '../../shared/keep-running.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { parseScreenId } from '../../shared/model/device-id.ts';
import { reportFault } from '../lib/faults.ts';
import type { DeviceRefusal } from '../ports.ts';
import { type DeviceRunEnd, runOnDevice } from './device-run.ts';
import type { DeviceWatch } from './devices/device-watch.ts';
import { type DevicePicture, type DeviceSound, type DeviceToOpen, inputDeviceFor } from './system-inputs.ts';

/** The pause between attempts to open a device that is away. */
const retryMs = 1_000;

/** The known devices of this computer. */
export type Devices = Pick<DeviceWatch, 'find' | 'look' | 'onChange'>;

export interface KeepCapturingOptions {
  ffmpegPath: string;
  /** ffmpeg's whole argv for the device as it is now. `isFallback`: the first arguments failed; return others, if there are any. */
  args: (device: DeviceToOpen, isFallback: boolean) => readonly string[];
  /** A new ffmpeg is about to start. */
  onStart: () => void;
  onBytes: (bytes: Buffer) => void;
  onLost: (fault: CaptureFault) => void;
  source: DevicePicture | DeviceSound;
  /** A device that returns is opened at once; one that is gone is closed, even if its ffmpeg doesn't notice. */
  devices: Devices;
  /** A device of a kind that the system refuses isn't opened, since it could show something else, as macOS' screens do. */
  isRefused?: DeviceRefusal | undefined;
}

/**
 * Whether opening a device while it is away may open another one that nobody chose. A window's number or a monitor's position may belong
 * to another one by now, PipeWire connects a program to the default source if the requested one is missing, udev lets a camera's link
 * lead to another camera (`LinuxCameras`), and on macOS ffmpeg mistakes one device's name for another's.
 */
function mayGiveAnother({ kind, device }: DevicePicture | DeviceSound): boolean {
  if (inputDeviceFor(kind) === 'avfoundation') return true;
  if (kind === 'camera') return inputDeviceFor(kind) === 'v4l2' && device.id.startsWith('/dev/v4l/');
  if (kind === 'screen') return parseScreenId(device.id).size !== undefined;
  return kind === 'window' || inputDeviceFor(kind) === 'pulse';
}

/** Whether other arguments may help: the device sent nothing, though nothing prevents opening it. */
function mayNeedOthers({ hadBytes, isGone, fault: { code } }: DeviceRunEnd): boolean {
  return !hadBytes && !isGone && code !== 'in-use' && code !== 'refused' && code !== 'withheld';
}

/** Captures a device until stopped; a lost device is reopened once it is back. Returns the function that stops it. */
export function keepCapturing(options: KeepCapturingOptions): () => Promise<void> {
  const { ffmpegPath, args, onStart, onBytes, onLost, source, devices, isRefused } = options;
  const closing = new AbortController();
  let isFallback = false;
  /** Returns the milliseconds until the next attempt. */
  const captureOnce = async (signal: AbortSignal): Promise<number> => {
    if (isRefused?.(source.kind)) {
      onLost({ code: 'refused' });
      return retryMs;
    }
    // The last list may be out of date.
    if (mayGiveAnother(source)) await devices.look();
    if (signal.aborted) return retryMs;
    const found = devices.find(source);
    if (found === 'missing' && mayGiveAnother(source)) {
      onLost({ code: 'gone' });
      return retryMs;
    }
    const listed = found === 'missing' ? undefined : found;
    const device = listed ?? source.device;
    onStart();
    const end = await runOnDevice({
      ffmpegPath,
      args: args(device, isFallback),
      onBytes,
      source,
      listed,
      goesByList: listed !== undefined || mayGiveAnother(source),
      devices,
      signal,
    });
    if (signal.aborted) return retryMs;
    // It is reopened at once, so it isn't away.
    if (end.hasChanged && !end.isGone) return 0;
    const fallsBack = !isFallback && mayNeedOthers(end) && !isDeepStrictEqual(args(device, true), args(device, false));
    // Keep the arguments that have worked.
    isFallback = fallsBack || (isFallback && end.hadBytes);
    if (!fallsBack || end.isStuck) onLost(end.fault);
    return fallsBack ? 0 : retryMs;
  };
  const running = keepRunning(captureOnce, {
    signal: closing.signal,
    nextAfterMs: (pauseMs) => pauseMs,
    onWake: devices.onChange,
  }).catch((error: unknown) => reportFault(error, 'a capture'));
  return async () => {
    closing.abort();
    await running;
  };
}
