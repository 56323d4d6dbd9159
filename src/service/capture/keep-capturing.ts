import { keepRunning } from '../../shared/keep-running.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { explainDeviceEnd } from './capture-fault.ts';
import { startCaptureRun } from './capture-run.ts';
import type { DeviceWatch } from './devices/device-watch.ts';
import type { DevicePicture, DeviceSound } from './system-inputs.ts';

/** The pause between attempts to open a device that is away. */
const retryMs = 1_000;
/** A device that sends nothing for this long is reopened. */
const stuckMs = 5_000;

/** What is known of this computer's devices. */
export type Devices = Pick<DeviceWatch, 'find' | 'onChange'>;

export interface KeepCapturingOptions {
  ffmpegPath: string;
  args: readonly string[];
  /** A new ffmpeg begins. */
  onStart: () => void;
  onBytes: (bytes: Buffer) => void;
  onLost: (fault: CaptureFault) => void;
  source: DevicePicture | DeviceSound;
  /** One that comes back is taken at once, and one that is gone is given up, even if its ffmpeg notices nothing. */
  devices: Devices;
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
  const running = keepRunning(
    async (signal) => {
      let isStuck = false;
      onStart();
      const run = startCaptureRun(ffmpegPath, args, (bytes) => {
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
        if (devices.find(source) === 'missing') stop();
      });
      const { stderr } = await run.ended;
      signal.removeEventListener('abort', stop);
      clearTimeout(watchdog);
      off();
      if (signal.aborted) return;
      const isGone = devices.find(source) === 'missing';
      onLost(isGone ? { code: 'gone' } : isStuck ? { code: 'stuck' } : explainDeviceEnd(stderr));
    },
    { signal: closing.signal, nextAfterMs: () => retryMs, onWake: devices.onChange },
  ).catch((error: unknown) => reportFault(error, 'a capture'));
  return async () => {
    closing.abort();
    await running;
  };
}
