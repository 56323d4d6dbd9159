import { isDeepStrictEqual } from 'node:util';
import { keepRunning } from '../../shared/keep-running.ts';
import type { CaptureFault, ListedDevice } from '../../shared/model/capture.ts';
import { parseScreenId } from '../../shared/model/device-id.ts';
import type { Device } from '../../shared/model/source.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { explainDeviceEnd } from './capture-fault.ts';
import { startCaptureRun } from './capture-run.ts';
import type { DeviceWatch } from './devices/device-watch.ts';
import { type DevicePicture, type DeviceSound, inputDeviceFor } from './system-inputs.ts';

/** The pause between attempts to open a device that is away. */
const retryMs = 1_000;
/** A device that sends nothing for this long is reopened. */
const stuckMs = 5_000;

/** What is known of this computer's devices. */
export type Devices = Pick<DeviceWatch, 'find' | 'look' | 'onChange'>;

export interface KeepCapturingOptions {
  ffmpegPath: string;
  /** ffmpeg's whole argv for the device as it is now. `isFallback`: the first arguments failed; return others, if there are any. */
  args: (device: Device, isFallback: boolean) => readonly string[];
  /** A new ffmpeg begins. */
  onStart: () => void;
  onBytes: (bytes: Buffer) => void;
  onLost: (fault: CaptureFault) => void;
  source: DevicePicture | DeviceSound;
  /** One that comes back is taken at once, and one that is gone is given up, even if its ffmpeg notices nothing. */
  devices: Devices;
}

/** Whether a device can still be captured as it was opened: ffmpeg doesn't follow a screen or window that has another size or place. */
function looksLike(one: ListedDevice, other: ListedDevice): boolean {
  return one.id === other.id && one.width === other.width && one.height === other.height;
}

/**
 * Whether opening it while it is away may give another one, which nobody chose: the number of a window or the place of a monitor may be
 * another's by now, and PipeWire connects the default source to a program that asks for one that isn't there.
 */
function mayGiveAnother({ kind, device }: DevicePicture | DeviceSound): boolean {
  if (kind === 'screen') return parseScreenId(device.id).size !== undefined;
  return kind === 'window' || inputDeviceFor(kind) === 'pulse';
}

/** Whether others, or the system, keep it from being opened in any way. */
function isTaken({ code }: CaptureFault): boolean {
  return code === 'in-use' || code === 'refused';
}

/** Captures a device until stopped; one that is lost is reopened once it is back. Returns what stops it. */
export function keepCapturing({
  ffmpegPath,
  args,
  onStart,
  onBytes,
  onLost,
  source,
  devices,
}: KeepCapturingOptions): () => Promise<void> {
  const closing = new AbortController();
  let isFallback = false;
  const running = keepRunning(
    async (signal) => {
      let isStuck = false;
      let hasChanged = false;
      // The last known list may be long out of date.
      if (mayGiveAnother(source)) await devices.look();
      if (signal.aborted) return retryMs;
      const found = devices.find(source);
      if (found === 'missing' && mayGiveAnother(source)) {
        onLost({ code: 'gone' });
        return retryMs;
      }
      const opened = found === 'missing' ? undefined : found;
      // Any other device that was opened by a name that was never listed isn't gone just because the list lacks it.
      let goesByList = opened !== undefined || mayGiveAnother(source);
      onStart();
      const device = opened ?? source.device;
      let hadBytes = false;
      const run = startCaptureRun(ffmpegPath, args(device, isFallback), (bytes) => {
        hadBytes = true;
        watchdog.refresh();
        onBytes(bytes);
      });
      const stop = () => runHarmlessly(() => run.stop(), 'ending a capture');
      const watchdog = setTimeout(() => {
        isStuck = true;
        stop();
      }, stuckMs);
      signal.addEventListener('abort', stop);
      const off = devices.onChange(() => {
        const now = devices.find(source);
        if (now === undefined) return;
        if (now !== 'missing') {
          goesByList = true;
          hasChanged ||= opened === undefined ? now.id !== source.device.id : !looksLike(now, opened);
        }
        if (hasChanged || (now === 'missing' && goesByList)) stop();
      });
      const { stderr } = await run.ended;
      signal.removeEventListener('abort', stop);
      clearTimeout(watchdog);
      off();
      if (signal.aborted) return retryMs;
      const isGone = goesByList && devices.find(source) === 'missing';
      // It is reopened at once, so it isn't away.
      if (hasChanged && !isGone) return 0;
      const fault: CaptureFault = isGone ? { code: 'gone' } : isStuck ? { code: 'stuck' } : explainDeviceEnd(stderr);
      const mayFallBack = !isFallback && !hadBytes && !isGone && !isTaken(fault);
      const fallsBack = mayFallBack && !isDeepStrictEqual(args(device, true), args(device, false));
      // What has worked is kept.
      isFallback = fallsBack || (isFallback && hadBytes);
      if (!fallsBack || isStuck) onLost(fault);
      return fallsBack ? 0 : retryMs;
    },
    { signal: closing.signal, nextAfterMs: (pauseMs) => pauseMs, onWake: devices.onChange },
  ).catch((error: unknown) => reportFault(error, 'a capture'));
  return async () => {
    closing.abort();
    await running;
  };
}
