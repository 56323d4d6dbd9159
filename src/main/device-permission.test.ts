import { beforeEach, expect, test, vi } from 'vitest';

const { statuses, getSources } = vi.hoisted(() => ({
  statuses: {} as Record<string, string>,
  getSources: vi.fn(async () => {
    throw new Error('Failed to get sources.');
  }),
}));
vi.mock('electron', () => ({
  desktopCapturer: { getSources },
  systemPreferences: { getMediaAccessStatus: (type: string) => statuses[type] },
}));

// Another file of this worker may have loaded them, with their own Electron.
vi.resetModules();
const { createDeviceRefusal } = await import('./device-permission.ts');

beforeEach(() => {
  getSources.mockClear();
});

test.each([
  ['screen', 'granted', false],
  ['screen', 'denied', true],
  ['screen', 'not-determined', true],
  ['camera', 'granted', false],
  ['camera', 'denied', true],
  ['camera', 'restricted', true],
  ['camera', 'not-determined', false],
  ['microphone', 'denied', true],
  ['microphone', 'not-determined', false],
] as const)('on macOS, whether a %s that is %s is refused: %s', (kind, status, expected) => {
  statuses[kind] = status;
  expect(createDeviceRefusal('darwin')?.(kind)).toBe(expected);
});

test('on macOS a screen that is refused is asked for once: it is never captured, so nothing else asks', () => {
  statuses.screen = 'denied';
  statuses.camera = 'denied';
  const isRefused = createDeviceRefusal('darwin');
  isRefused?.('camera');
  expect(getSources).not.toHaveBeenCalled();
  for (let time = 0; time < 3; time += 1) isRefused?.('screen');
  expect(getSources).toHaveBeenCalledOnce();
});

test('what the computer plays, and devices of other systems, need no such permission', () => {
  expect(createDeviceRefusal('darwin')?.('system')).toBe(false);
  expect([createDeviceRefusal('linux'), createDeviceRefusal('win32')]).toEqual([undefined, undefined]);
});
