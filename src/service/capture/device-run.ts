import type { CaptureFault, ListedDevice } from '../../shared/model/capture.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { watchForSilence } from '../lib/silence-watch.ts';
import type { FfmpegEnd } from '../media-tools/ffmpeg-process.ts';
import { explainDeviceEnd } from './capture-fault.ts';
import { startCaptureRun } from './capture-run.ts';
import type { DeviceWatch } from './devices/device-watch.ts';
import type { DevicePicture, DeviceSound } from './system-inputs.ts';

/** A device that sends nothing for this long is given up. */
const stuckMs = 5_000;

interface DeviceRunOptions {
  ffmpegPath: string;
  args: readonly string[];
  onBytes: (bytes: Buffer) => void;
  source: DevicePicture | DeviceSound;
  /** The source's device as it was listed when its `args` were made; undefined if no list had it. */
  listed: ListedDevice | undefined;
  /** Whether a device that a list lacks is gone. A device opened by a name that was never listed may still be there. */
  goesByList: boolean;
  devices: Pick<DeviceWatch, 'find' | 'onChange'>;
  /** Ends it. */
  signal: AbortSignal;
}

/** How a capture of a device came to its end. */
export interface DeviceRunEnd {
  /** The device has sent something. */
  hadBytes: boolean;
  isStuck: boolean;
  /** The list now describes it differently, so it has to be reopened. */
  hasChanged: boolean;
  /** The list lacks it. */
  isGone: boolean;
  /** Why it sends nothing any more. */
  fault: CaptureFault;
}

/** Captures a device with one ffmpeg, until that ends, the device sends nothing any more, or the list says that it has changed or gone. */
export async function runOnDevice(options: DeviceRunOptions): Promise<DeviceRunEnd> {
  const { ffmpegPath, args, onBytes, source, listed, devices, signal } = options;
  let { goesByList } = options;
  let hadBytes = false;
  let isStuck = false;
  let hasChanged = false;
  const run = startCaptureRun(ffmpegPath, args, (bytes) => {
    hadBytes = true;
    silence.heard();
    onBytes(bytes);
  });
  const stop = () => runHarmlessly(() => run.stop(), 'ending a capture');
  const silence = watchForSilence({
    limitMs: stuckMs,
    onSilence: () => {
      isStuck = true;
      stop();
    },
  });
  signal.addEventListener('abort', stop);
  const off = devices.onChange(() => {
    const now = devices.find(source);
    if (now === undefined) return;
    if (now !== 'missing') {
      goesByList = true;
      hasChanged ||= listed === undefined ? now.id !== source.device.id : !looksLike(now, listed);
    }
    if (hasChanged || (now === 'missing' && goesByList)) stop();
  });
  const end = await run.ended;
  signal.removeEventListener('abort', stop);
  silence.stop();
  off();
  const isGone = goesByList && devices.find(source) === 'missing';
  const fault: CaptureFault = isGone ? { code: 'gone' } : explainEnd({ isStuck, hadBytes }, end);
  return { hadBytes, isStuck, hasChanged, isGone, fault };
}

/** On macOS ffmpeg reports that a microphone is refused, and then waits for its sound forever (`avf_read_header` in avfoundation.m). */
function explainEnd({ isStuck, hadBytes }: { isStuck: boolean; hadBytes: boolean }, end: FfmpegEnd): CaptureFault {
  const said = explainDeviceEnd(end);
  return isStuck && (hadBytes || said.code !== 'refused') ? { code: 'stuck' } : said;
}

/** Whether a device can still be captured as it was opened: ffmpeg doesn't follow a screen or window that was moved or resized. */
function looksLike(one: ListedDevice, other: ListedDevice): boolean {
  return one.id === other.id && one.width === other.width && one.height === other.height;
}
