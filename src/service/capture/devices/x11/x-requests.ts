import type { X11Monitor } from '../../../../shared/model/device-id.ts';
import type { XConnection } from './x-connection.ts';

/** Opcodes (X Window System Protocol, version 11, appendix B). */
const getWindowAttributes = 3;
const getGeometry = 14;
const queryTree = 15;
const internAtom = 16;
const getAtomName = 17;
const getProperty = 20;
const queryExtension = 98;
/** Minor opcodes of RANDR, 1.5. */
const rrQueryVersion = 0;
const rrGetMonitors = 42;

/** Longer properties are cut off; no title or list of windows is that long. In units of 4 bytes. */
const maxPropertyWords = 16_384;

function words(...values: number[]): Buffer {
  const body = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) body.writeUInt32LE(value, index * 4);
  return body;
}

/** A text as its length in 2 bytes, 2 unused ones, and its bytes up to a multiple of four. */
function lengthAndText(text: string): Buffer {
  const body = Buffer.alloc(4 + ((text.length + 3) & ~3));
  body.writeUInt16LE(text.length, 0);
  body.write(text, 4, 'latin1');
  return body;
}

/** The number of a name; the server makes one if it has none. */
export async function findAtom(x: XConnection, name: string): Promise<number> {
  return (await x.ask(internAtom, 0, lengthAndText(name)))?.readUInt32LE(8) ?? 0;
}

/** The windows directly inside another, from back to front; undefined if it has closed. */
export async function listChildren(x: XConnection, window: number): Promise<number[] | undefined> {
  const answer = await x.ask(queryTree, 0, words(window));
  return answer && Array.from({ length: answer.readUInt16LE(16) }, (_, index) => answer.readUInt32LE(32 + index * 4));
}

/** The state and size of a window. */
export interface WindowFacts {
  /** The window and all its ancestors are mapped, so it has pixels. */
  isViewable: boolean;
  /** Window managers leave it alone: a menu or a tooltip. */
  isUnmanaged: boolean;
  /** In pixels. */
  width: number;
  height: number;
}

/** The window's current state and size; undefined if it has closed. */
export async function findFacts(x: XConnection, window: number): Promise<WindowFacts | undefined> {
  const [attributes, geometry] = await Promise.all([
    x.ask(getWindowAttributes, 0, words(window)),
    x.ask(getGeometry, 0, words(window)),
  ]);
  if (attributes === undefined || geometry === undefined) return undefined;
  return {
    isViewable: attributes[26] === 2,
    isUnmanaged: attributes[27] === 1,
    width: geometry.readUInt16LE(16),
    height: geometry.readUInt16LE(18),
  };
}

/** The bytes of a window's property; undefined if it has none. */
export async function readProperty(x: XConnection, window: number, property: number): Promise<Buffer | undefined> {
  const answer = await x.ask(getProperty, 0, words(window, property, 0, 0, maxPropertyWords));
  const unitBytes = (answer?.[1] ?? 0) / 8;
  return unitBytes === 0 ? undefined : answer?.subarray(32, 32 + answer.readUInt32LE(16) * unitBytes);
}

/** The monitors (RANDR 1.5, "RRGetMonitors"); empty for a server without that extension. */
export async function listMonitors(x: XConnection): Promise<X11Monitor[]> {
  const extension = await x.ask(queryExtension, 0, lengthAndText('RANDR'));
  const opcode = extension?.[8] === 1 ? extension[9] : undefined;
  if (opcode === undefined) return [];
  await x.ask(opcode, rrQueryVersion, words(1, 5));
  const answer = await x.ask(opcode, rrGetMonitors, words(x.screen.root, 1));
  if (answer === undefined) return [];
  const monitors: X11Monitor[] = [];
  let at = 32;
  for (let index = 0; index < answer.readUInt32LE(12); index += 1) {
    const name = await x.ask(getAtomName, 0, words(answer.readUInt32LE(at)));
    monitors.push({
      name: name?.toString('latin1', 32, 32 + name.readUInt16LE(8)) ?? '',
      x: answer.readInt16LE(at + 8),
      y: answer.readInt16LE(at + 10),
      width: answer.readUInt16LE(at + 12),
      height: answer.readUInt16LE(at + 14),
    });
    at += 24 + answer.readUInt16LE(at + 6) * 4;
  }
  return monitors;
}
