import { expect, test } from 'vitest';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { type Devices, keepCapturing } from './keep-capturing.ts';
import type { DevicePicture } from './system-inputs.ts';

const window: DevicePicture = { kind: 'window', device: { id: '0x1c00007', name: 'Game' } };

/** Captures a window with an ffmpeg that doesn't exist; `told` is what became of it. */
function capture(devices: Pick<Devices, 'look' | 'find'>) {
  const told: (CaptureFault | 'start')[] = [];
  const lost = Promise.withResolvers<void>();
  const stop = keepCapturing({
    ffmpegPath: '/nonexistent/ffmpeg',
    args: () => [],
    source: window,
    devices: { ...devices, onChange: () => () => {} },
    onStart: () => told.push('start'),
    onBytes: () => {},
    onLost: (fault) => {
      told.push(fault);
      lost.resolve();
    },
  });
  return { told, stop, lost: lost.promise };
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
  let isListed = true;
  const look = async () => {
    isListed = false;
  };
  const { told, stop, lost } = capture({ look, find: () => (isListed ? window.device : 'missing') });
  await lost;
  await stop();
  expect(told).toEqual([{ code: 'gone' }]);
});
