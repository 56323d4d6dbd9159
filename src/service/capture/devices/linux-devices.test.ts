import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { listCameras, listLinuxDevices } from './linux-devices.ts';

afterEach(() => vi.unstubAllEnvs());

const installCommand = 'sudo apt install ffmpeg';

test.skipIf(process.platform !== 'linux')('what no ffmpeg can open is left to pages, with what to install', async () => {
  // A server of sound would be listed, if anything could open it.
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

test.skipIf(process.platform === 'win32')('a camera keeps its id when its node has another number', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cameras-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const folders = {
    nodes: join(folder, 'sys'),
    byId: join(folder, 'by-id'),
    byPath: join(folder, 'by-path'),
    devices: join(folder, 'dev'),
  };
  const plug = async (node: string, name: string, links: { id?: string; path?: string }, index = 0) => {
    await mkdir(join(folders.nodes, node), { recursive: true });
    await writeFile(join(folders.nodes, node, 'name'), `${name}\n`);
    await writeFile(join(folders.nodes, node, 'index'), `${index}\n`);
    for (const [in_, link] of [[folders.byId, links.id] as const, [folders.byPath, links.path] as const]) {
      await mkdir(in_, { recursive: true });
      if (link !== undefined) await symlink(`../../${node}`, join(in_, link));
    }
  };
  const unplug = async () => {
    for (const one of [folders.nodes, folders.byId, folders.byPath]) await rm(one, { recursive: true, force: true });
  };
  const c920 = 'usb-046d_HD_Pro_Webcam_C920_2F4A1D0F-video-index0';
  const port = 'pci-0000:00:14.0-usb-0:2:1.0-video-index0';
  const id = join(folders.byId, c920);

  await plug('video0', 'HD Pro Webcam C920', { id: c920, path: port });
  await plug('video1', 'HD Pro Webcam C920', {}, 1);
  expect(await listCameras(folders)).toEqual([{ id, name: 'HD Pro Webcam C920' }]);
  await unplug();
  await plug('video4', 'HD Pro Webcam C920', { id: c920, path: port });
  await plug('video6', 'HD Pro Webcam C920', { path: `second-${port}` });
  await plug('video8', 'Virtual camera', {});
  expect(await listCameras(folders)).toEqual([
    { id, name: 'HD Pro Webcam C920 (video4)' },
    { id: join(folders.byPath, `second-${port}`), name: 'HD Pro Webcam C920 (video6)' },
    { id: join(folders.devices, 'video8'), name: 'Virtual camera' },
  ]);
  await unplug();
  expect(await listCameras(folders)).toEqual([]);
});
