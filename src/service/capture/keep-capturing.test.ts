import { describe, expect, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { DeviceRefusal } from '../ports.ts';
import { type Devices, keepCapturing } from './keep-capturing.ts';
import type { DevicePicture, DeviceSound } from './system-inputs.ts';

const window: DevicePicture = { kind: 'window', device: { id: '0x1c00007', name: 'Game' } };

/** Captures a device with an ffmpeg that doesn't exist, or another program; `told` is what became of it. */
function capture(
  devices: Pick<Devices, 'look' | 'find'> & Partial<Devices>,
  source: DevicePicture | DeviceSound = window,
  [ffmpegPath, ...args]: readonly [string, ...string[]] = ['/nonexistent/ffmpeg'],
  isRefused?: DeviceRefusal,
) {
  const told: (CaptureFault | 'start')[] = [];
  const lost = Promise.withResolvers<void>();
  const stop = keepCapturing({
    ffmpegPath,
    args: () => args,
    source,
    devices: { onChange: () => () => {}, ...devices },
    isRefused,
    onStart: () => told.push('start'),
    onBytes: () => {},
    onLost: (fault) => {
      told.push(fault);
      lost.resolve();
    },
  });
  return { told, stop, lost: lost.promise };
}

/** Devices among which a new look no longer finds this one. */
function missingAfterLook({ device }: DevicePicture | DeviceSound): Pick<Devices, 'look' | 'find'> {
  let isListed = true;
  const look = async () => {
    isListed = false;
  };
  return { look, find: () => (isListed ? device : 'missing') };
}

test('a capture that is stopped during its look at the devices opens nothing', async () => {
  const looked = Promise.withResolvers<void>();
  const { told, stop } = capture({ look: () => looked.promise, find: () => window.device });
  const stopped = stop();
  looked.resolve();
  await stopped;
  expect(told).toEqual([]);
});

test('a window that the look no longer finds is gone: its number may be that of another one by now', async () => {
  const { told, stop, lost } = capture(missingAfterLook(window));
  await lost;
  await stop();
  expect(told).toEqual([{ code: 'gone' }]);
});

describe.skipIf(process.platform !== 'linux')(
  'a sound of PulseAudio or PipeWire, which gives another one for a name that it lacks',
  () => {
    const sounds = (['microphone', 'system'] as const).map(
      (kind): DeviceSound => ({ kind, device: { id: 'usb', name: 'USB' } }),
    );

    test.each(sounds)('is not opened while the list lacks it: $kind', async (source) => {
      const { told, stop, lost } = capture({ look: async () => {}, find: () => 'missing' }, source);
      await lost;
      await stop();
      expect(told).toEqual([{ code: 'gone' }]);
    });

    test.each(sounds)('is opened only after a look, since the last known list may have it still: $kind', async (source) => {
      const { told, stop, lost } = capture(missingAfterLook(source), source);
      await lost;
      await stop();
      expect(told).toEqual([{ code: 'gone' }]);
    });

    test.each(sounds)('is given up as soon as a list lacks it, even if none had it: $kind', async (source) => {
      let find: ReturnType<Devices['find']>;
      const change = Promise.withResolvers<() => void>();
      const onChange = (listener: () => void) => {
        change.resolve(listener);
        return () => {};
      };
      // It runs until it is ended.
      const runs = [process.execPath, '-e', 'setInterval(() => {}, 1_000)'] as const;
      const { told, stop, lost } = capture({ look: async () => {}, find: () => find, onChange }, source, runs);
      const tell = await change.promise;
      find = 'missing';
      tell();
      await lost;
      await stop();
      expect(told).toEqual(['start', { code: 'gone' }]);
    });
  },
);

test
  .skipIf(process.platform !== 'linux')
  .each(['/dev/v4l/by-id/usb-Webcam-video-index0', '/dev/v4l/by-path/usb-0:2:1.0-video-index0'])(
  'the link of a camera that the look no longer finds is not opened: it may lead to another of its model (%s)',
  async (id) => {
    const camera: DevicePicture = { kind: 'camera', device: { id, name: 'Webcam' } };
    const { told, stop, lost } = capture(missingAfterLook(camera), camera);
    await lost;
    await stop();
    expect(told).toEqual([{ code: 'gone' }]);
  },
);

test.each(["Cannot find a proper format for codec 'mjpeg'", 'Input/output error'])(
  'a camera that fails with the first arguments (%s) is opened with the others at once, and again with those that have worked',
  async (says) => {
    const asked: string[] = [];
    const lost = Promise.withResolvers<void>();
    const told: unknown[] = [];
    const lacks = `console.error(${JSON.stringify(says)}); process.exit(1)`;
    const stop = keepCapturing({
      ffmpegPath: process.execPath,
      args: (_device, isFallback) => {
        return ['-e', isFallback ? "process.stdout.write('raw'); setTimeout(() => {}, 50)" : lacks];
      },
      source: { kind: 'camera', device: { id: '/dev/video0', name: 'Camera' } },
      devices: { look: async () => {}, find: () => undefined, onChange: () => () => {} },
      onStart: () => asked.push('start'),
      onBytes: (bytes) => asked.push(bytes.toString()),
      onLost: (fault) => {
        told.push(fault);
        if (told.length === 2) lost.resolve();
      },
    });
    await lost.promise;
    await stop();
    expect(asked).toEqual(['start', 'start', 'raw', 'start', 'raw']);
  },
);

test('a device that is refused, and whose ffmpeg then waits for ever, as with a microphone on macOS, is refused', async () => {
  const says = '[AVFoundation indev @ 0x1] Failed to create AV capture input device: Cannot use MacBook Pro Microphone';
  const waits = `echo '${says}' >&2; exec sleep 60`;
  const camera: DevicePicture = { kind: 'camera', device: { id: 'camera', name: 'Camera' } };
  const { told, stop, lost } = capture({ look: async () => {}, find: () => undefined }, camera, ['sh', '-c', waits]);
  await lost;
  await stop();
  expect(told).toEqual(['start', { code: 'refused' }]);
});

test('a device of a kind that the system refuses is not opened until it is allowed', async () => {
  const refusals = [true, true, false];
  const asked: string[] = [];
  const isRefused = (kind: string) => {
    asked.push(kind);
    return refusals.shift() ?? false;
  };
  const camera: DevicePicture = { kind: 'camera', device: { id: 'camera', name: 'Camera' } };
  const changes = createEventSource<void>();
  const devices = { look: async () => {}, find: () => undefined, onChange: changes.on };
  const { told, stop } = capture(devices, camera, ['/nonexistent/ffmpeg'], isRefused);
  await soon(() => expect(told).toEqual([{ code: 'refused' }]));
  // Instead of the pause.
  changes.emit();
  await soon(() => expect(told).toHaveLength(2));
  changes.emit();
  await soon(() => expect(told).toHaveLength(4));
  await stop();
  expect(told.slice(0, 3)).toEqual([{ code: 'refused' }, { code: 'refused' }, 'start']);
  expect(asked.slice(0, 3)).toEqual(['camera', 'camera', 'camera']);
});
