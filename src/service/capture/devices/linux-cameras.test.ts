import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LinuxCameras } from './linux-cameras.ts';

interface PluggedCamera {
  name?: string;
  /** The link by id that udev gives it, if no other has it. */
  id?: string;
  /** The link by path. */
  path?: string;
  index?: number;
  /** Its USB device, plugged in at `port`. A virtual camera has none. */
  usb?: { port: string; product?: string; serial?: string };
}

/** The folders of a computer's cameras, with nothing plugged in. */
async function makeCameraFolders() {
  const folder = await mkdtemp(join(tmpdir(), 'cameras-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const folders = {
    nodes: join(folder, 'sys'),
    byId: join(folder, 'by-id'),
    byPath: join(folder, 'by-path'),
    devices: join(folder, 'dev'),
  };
  const link = async (in_: string, name: string, node: string) => {
    await mkdir(in_, { recursive: true });
    await rm(join(in_, name), { force: true });
    await symlink(`../../${node}`, join(in_, name));
  };
  return {
    folders,
    /** Makes a link by id lead to a node, as udev does when the camera that had it is unplugged. */
    linkById: (id: string, node: string) => link(folders.byId, id, node),
    async plug(node: string, { name = 'Webcam', id, path, index = 0, usb }: PluggedCamera) {
      await mkdir(join(folders.nodes, node), { recursive: true });
      await writeFile(join(folders.nodes, node, 'name'), `${name}\n`);
      await writeFile(join(folders.nodes, node, 'index'), `${index}\n`);
      if (id !== undefined) await link(folders.byId, id, node);
      if (path !== undefined) await link(folders.byPath, path, node);
      if (usb === undefined) return;
      const { port, product = name, serial } = usb;
      const device = join(folder, 'devices', port);
      await mkdir(join(device, `${port}:1.0`), { recursive: true });
      const attributes = { idVendor: '046d', idProduct: '0825', product, ...(serial !== undefined && { serial }) };
      for (const [file, value] of Object.entries(attributes)) await writeFile(join(device, file), `${value}\n`);
      await symlink(join(device, `${port}:1.0`), join(folders.nodes, node, 'device'));
    },
    async unplug(node: string, path: string) {
      await rm(join(folders.nodes, node), { recursive: true });
      await rm(join(folders.byPath, path));
    },
    async unplugAll() {
      for (const one of [folders.nodes, folders.byId, folders.byPath]) await rm(one, { recursive: true, force: true });
    },
  };
}

describe.skipIf(process.platform === 'win32')('the cameras of a Linux computer', () => {
  test('a camera keeps its id when its node has another number', async () => {
    const { folders, plug, unplugAll } = await makeCameraFolders();
    const cameras = new LinuxCameras(folders);
    const name = 'HD Pro Webcam C920';
    const c920 = 'usb-046d_HD_Pro_Webcam_C920_2F4A1D0F-video-index0';
    const port = 'pci-0000:00:14.0-usb-0:2:1.0-video-index0';
    const listed = { id: join(folders.byId, c920), path: join(folders.byPath, port) };
    const usb = { port: '1-2', serial: '2F4A1D0F' };

    await plug('video0', { name, id: c920, path: port, usb });
    await plug('video1', { name, index: 1, usb });
    expect(await cameras.list()).toEqual([{ ...listed, name }]);
    await unplugAll();
    await plug('video4', { name, id: c920, path: port, usb });
    await plug('video6', { name, path: `second-${port}`, usb: { port: '1-3' } });
    await plug('video8', { name: 'Virtual camera' });
    expect(await cameras.list()).toEqual([
      { ...listed, name: `${name} (video4)` },
      { id: join(folders.byPath, `second-${port}`), name: `${name} (video6)` },
      { id: join(folders.devices, 'video8'), name: 'Virtual camera' },
    ]);
    await unplugAll();
    expect(await cameras.list()).toEqual([]);
  });

  /** Two sockets, with the same model in each: udev has one link by id for both. */
  async function makeTwins(serial?: string) {
    const stage = await makeCameraFolders();
    const shared = 'usb-046d_Webcam-video-index0';
    const paths = { left: 'pci-usb-0:2:1.0-video-index0', right: 'pci-usb-0:3:1.0-video-index0' };
    const own = serial === undefined ? {} : { serial };
    const { folders, plug, unplug } = stage;
    return {
      ...stage,
      cameras: new LinuxCameras(folders),
      id: join(folders.byId, shared),
      left: join(folders.byPath, paths.left),
      right: join(folders.byPath, paths.right),
      /** The camera that is plugged in last takes the link. */
      plugLeft: (node = 'video4') => plug(node, { id: shared, path: paths.left, usb: { port: '1-2', ...own } }),
      plugRight: () => plug('video6', { id: shared, path: paths.right, usb: { port: '1-3', ...own } }),
      async unplugLeft() {
        await unplug('video4', paths.left);
        await stage.linkById(shared, 'video6');
      },
      unplugRight: () => unplug('video6', paths.right),
    };
  }

  test.each([
    ['without serial numbers', undefined],
    ['with one serial number for all', '200901010001'],
  ])('of two of one model %s, the one that stays keeps its id', async (_which, serial) => {
    const { cameras, left, right, plugRight, plugLeft, unplugLeft } = await makeTwins(serial);
    await plugRight();
    await plugLeft();
    expect(await cameras.list()).toEqual([
      { id: left, name: 'Webcam (video4)' },
      { id: right, name: 'Webcam (video6)' },
    ]);
    await unplugLeft();
    expect(await cameras.list()).toEqual([{ id: right, name: 'Webcam' }]);
    await plugLeft();
    expect((await cameras.list()).map(({ id }) => id)).toEqual([left, right]);
  });

  test('one that was alone keeps its id when its twin takes the link, and nobody else gets it', async () => {
    const { cameras, id, left, right, plugRight, plugLeft, unplugLeft } = await makeTwins();
    await plugLeft();
    expect(await cameras.list()).toEqual([{ id, path: left, name: 'Webcam' }]);
    await plugRight();
    const both = [
      { id, path: left, name: 'Webcam (video4)' },
      { id: right, name: 'Webcam (video6)' },
    ];
    expect(await cameras.list()).toEqual(both);
    await unplugLeft();
    expect(await cameras.list()).toEqual([{ id: right, name: 'Webcam' }]);
    await plugLeft();
    expect(await cameras.list()).toEqual(both);
  });

  test('the link of one is still known while udev makes it again', async () => {
    const { cameras, folders, id, left, plugRight, plugLeft, unplugRight } = await makeTwins();
    await plugLeft();
    await cameras.list();
    await plugRight();
    await cameras.list();
    await unplugRight();
    await rm(folders.byId, { recursive: true });
    expect(await cameras.list()).toEqual([{ id, path: left, name: 'Webcam' }]);
  });

  test('one that was always alone keeps its id in another socket', async () => {
    const { cameras, id, left, right, plugRight, plugLeft, unplugAll } = await makeTwins();
    await plugLeft();
    expect(await cameras.list()).toEqual([{ id, path: left, name: 'Webcam' }]);
    await unplugAll();
    await plugRight();
    expect(await cameras.list()).toEqual([{ id, path: right, name: 'Webcam' }]);
  });

  test('two pictures of one USB device have one link by id, too', async () => {
    const { folders, plug } = await makeCameraFolders();
    const usb = { port: '1-8', product: 'Integrated Camera', serial: '0001' };
    await plug('video0', { name: 'Integrated Camera: Integrated C', path: 'colour', usb });
    await plug('video2', { name: 'Integrated Camera: Integrated I', path: 'infrared', id: 'usb-Integrated_Camera_0001', usb });
    expect((await new LinuxCameras(folders).list()).map(({ id }) => id)).toEqual([
      join(folders.byPath, 'colour'),
      join(folders.byPath, 'infrared'),
    ]);
  });

  test('serial numbers tell two of one model apart, except those that udev leaves out', async () => {
    const { folders, plug } = await makeCameraFolders();
    await plug('video0', { id: 'usb-Webcam_1', path: 'a', usb: { port: '1-1', serial: '1' } });
    await plug('video2', { id: 'usb-Webcam_2', path: 'b', usb: { port: '1-2', serial: '2' } });
    await plug('video4', { id: 'usb-Webcam', path: 'c', usb: { port: '1-3', serial: '3,1' } });
    await plug('video6', { path: 'd', usb: { port: '1-4', serial: 'ÿÿ' } });
    expect((await new LinuxCameras(folders).list()).map(({ id }) => id)).toEqual([
      join(folders.byId, 'usb-Webcam_1'),
      join(folders.byId, 'usb-Webcam_2'),
      join(folders.byPath, 'c'),
      join(folders.byPath, 'd'),
    ]);
  });
});
