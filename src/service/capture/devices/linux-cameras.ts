import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ListedDevice } from '../../../shared/model/capture.ts';

/** The folders of Linux' cameras, and of udev's lasting names for them. */
const cameraFolders = { nodes: '/sys/class/video4linux', byId: '/dev/v4l/by-id', byPath: '/dev/v4l/by-path', devices: '/dev' };

interface FoundCamera {
  /** Such as `video0`: another one after the camera was plugged in again. */
  node: string;
  name: string;
  /** The path to open: the link of the socket that the camera is plugged into, else its node. */
  path: string;
  /** The link by id, if udev has it lead to this camera. */
  link: string | undefined;
  /** The text that udev makes that link's name of; undefined for a camera that isn't on USB and so has no link. */
  usbName: string | undefined;
}

/** Which camera a link by id stands for, among those of the same name. */
interface LinkOwner {
  link: string | undefined;
  /** The path of the only camera of that name; undefined if there were several from the start. */
  path: string | undefined;
  /** Whether there were several at once: once one moves to another socket, nothing tells them apart. */
  isShared: boolean;
}

/**
 * The cameras of a Linux computer (Video4Linux), whose ids last when they are plugged in again: udev's link by id, made of the model and
 * the serial number, else the link of the socket.
 *
 * Cameras of one model often have no serial number, or all the same. They share a link by id, which udev makes lead to any of them, and to
 * another one when that is unplugged. It is therefore never opened, and as an id it stays with the camera that had it alone, as long as
 * this object lives; if there were several from the start, none has it.
 */
export class LinuxCameras {
  readonly #folders: typeof cameraFolders;
  /** By the cameras' `usbName`. */
  readonly #owners = new Map<string, LinkOwner>();

  constructor(folders = cameraFolders) {
    this.#folders = folders;
  }

  /** The cameras that are plugged in now. */
  async list(): Promise<ListedDevice[]> {
    const cameras = await findCameras(this.#folders);
    for (const [usbName, same] of Map.groupBy(cameras, (camera) => camera.usbName)) {
      if (usbName !== undefined) this.#note(usbName, same);
    }
    // Their nodes distinguish two of one model.
    const isTwice = (name: string) => cameras.filter((other) => other.name === name).length > 1;
    return cameras.map(({ node, name, path, usbName }) => {
      const owner = usbName === undefined ? undefined : this.#owners.get(usbName);
      const link = owner?.path === path ? owner.link : undefined;
      return { ...(link === undefined ? { id: path } : { id: link, path }), name: isTwice(name) ? `${name} (${node})` : name };
    });
  }

  #note(usbName: string, same: readonly FoundCamera[]): void {
    const before = this.#owners.get(usbName);
    const isShared = before?.isShared === true || same.length > 1;
    this.#owners.set(usbName, {
      // The link is missing while udev recreates it.
      link: same.find(({ link }) => link !== undefined)?.link ?? before?.link,
      path: isShared ? before?.path : same[0]?.path,
      isShared,
    });
  }
}

/** The nodes with index 0; a camera's others carry its metadata. */
async function findCameras(folders: typeof cameraFolders): Promise<FoundCamera[]> {
  const nodes = (await readdir(folders.nodes).catch(() => [])).sort();
  const [byId, byPath] = await Promise.all([readLinks(folders.byId), readLinks(folders.byPath)]);
  const found = await Promise.all(
    nodes.map(async (node): Promise<FoundCamera[]> => {
      const folder = join(folders.nodes, node);
      const usbName = await readUsbName(folder);
      // Read last, since this fails for a camera that is unplugged meanwhile.
      const [name, index] = await Promise.all([readAttribute(folder, 'name'), readAttribute(folder, 'index')]);
      if (index !== '0') return [];
      const path = byPath.get(node) ?? join(folders.devices, node);
      return [{ node, name: name || node, path, link: byId.get(node), usbName }];
    }),
  );
  return found.flat();
}

/** The parts of a link by id: the maker, the model and the serial number (systemd, udev-builtin-usb_id.c). */
async function readUsbName(folder: string): Promise<string | undefined> {
  // The node is of an interface of the USB device. The path must be a real one: after a link, `..` leads elsewhere.
  const usbInterface = await realpath(join(folder, 'device')).catch(() => undefined);
  if (usbInterface === undefined) return undefined;
  const device = dirname(usbInterface);
  const read = (attribute: string) => readAttribute(device, attribute);
  const [maker, model, serial] = await Promise.all([
    read('manufacturer').then((name) => name || read('idVendor')),
    read('product').then((name) => name || read('idProduct')),
    read('serial'),
  ]);
  // udev leaves out a serial number with other characters.
  const isUsed = /^[\x20-\x7f]*$/.test(serial) && !serial.includes(',');
  return maker === '' ? undefined : JSON.stringify([maker, model, isUsed ? serial : '']);
}

async function readAttribute(folder: string, attribute: string): Promise<string> {
  return (await readFile(join(folder, attribute), 'utf8').catch(() => '')).trim();
}

/** The links in a folder of udev's: the node that each leads to, and its path. */
async function readLinks(folder: string): Promise<Map<string, string>> {
  const paths = (await readdir(folder).catch(() => [])).sort().map((name) => join(folder, name));
  const links = await Promise.all(paths.map(async (path) => [basename(await readlink(path).catch(() => '')), path] as const));
  return new Map(links);
}
