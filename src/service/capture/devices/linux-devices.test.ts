import { afterEach, expect, test, vi } from 'vitest';
import { listLinuxDevices } from './linux-devices.ts';

afterEach(() => vi.unstubAllEnvs());

const installCommand = 'sudo apt install ffmpeg';

test.skipIf(process.platform !== 'linux')('what no ffmpeg can open is left to pages, with what to install', async () => {
  // A sound server's sources would be listed if anything could open them.
  vi.stubEnv('DISPLAY', ':0');
  vi.stubEnv('WAYLAND_DISPLAY', undefined);
  expect(await listLinuxDevices({ paths: new Map([['v4l2', '/nowhere/ffmpeg']]), installCommand })).toMatchObject({
    screens: [],
    windows: [],
    microphones: [],
    systemSounds: [],
    by: { screen: 'page', window: 'page', camera: 'service', microphone: 'page', system: 'page' },
    lacking: { kinds: ['screen', 'window', 'microphone', 'system'], installCommand },
  });
});

test.skipIf(process.platform !== 'linux')('on Wayland no ffmpeg helps: the portal asks', async () => {
  vi.stubEnv('WAYLAND_DISPLAY', 'wayland-0');
  vi.stubEnv('DISPLAY', ':0');
  const { by, lacking } = await listLinuxDevices({ paths: new Map([['v4l2', '/nowhere/ffmpeg']]), installCommand });
  expect(by).toEqual({ screen: 'page', window: 'page', camera: 'service', microphone: 'page', system: 'page' });
  expect(lacking?.kinds).toEqual(['microphone', 'system']);
});
