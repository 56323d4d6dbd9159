import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A rectangle in pixels, from the upper left corner of the screen. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A client of an X screen: paints on its background, and shows and hides windows, its own and others'. */
export interface XPainter extends Disposable {
  /** Makes a window of its own that isn't shown yet, with a title and a class of program; returns its number. */
  createWindow(window: { title: string; programClass: string; width: number; height: number }): number;
  map(window: number): void;
  unmap(window: number): void;
  /** Marks a window as a window manager's own, shown or minimised, with the number of the atom `WM_STATE` (ICCCM 2.0 §4.1.3.1). */
  setState(window: number, wmStateAtom: number, state: 'normal' | 'iconic'): void;
  /** Fills rectangles with a color, `0xRRGGBB`. They appear in the order of the calls. */
  fill(color: number, rectangles: readonly Rectangle[]): void;
}

/** Opcodes of requests, and the bit of a graphics context's foreground (X Window System Protocol, version 11, appendix B). */
const createWindowOp = 1;
const mapWindow = 8;
const unmapWindow = 10;
const changeProperty = 18;
const createGc = 55;
const changeGc = 56;
const polyFillRectangle = 70;
const foreground = 4;
/** Atoms that every server knows (appendix B). */
const stringType = 31;
const wmName = 39;
const wmClass = 67;
/** Values of `WM_STATE` (ICCCM 2.0 §4.1.3.1). */
const states = { normal: 1, iconic: 3 } as const;

/** Connects to an X display on this computer, `:7`, as a client that only fills rectangles. */
export async function openXPainter(display: string): Promise<XPainter> {
  const socket = connect({ path: `/tmp/.X11-unix/X${display.slice(1)}` });
  await once(socket, 'connect');
  // Little-endian, protocol 11.0, no authorization.
  socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const { root, firstId } = readSetup(await readWhole(socket));
  const request = (opcode: number, words: readonly number[]) => {
    const bytes = Buffer.alloc(4 + words.length * 4);
    bytes.writeUInt8(opcode, 0);
    bytes.writeUInt16LE(bytes.length / 4, 2);
    for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, 4 + index * 4);
    socket.write(bytes);
  };
  const setText = (window: number, property: number, text: string) => {
    const bytes = Buffer.alloc((text.length + 3) & ~3);
    bytes.write(text, 'latin1');
    const inWords = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
    request(changeProperty, [window, property, stringType, 8, text.length, ...inWords]);
  };
  const gc = firstId;
  let lastId = firstId;
  request(createGc, [gc, root, foreground, 0]);
  // Discard errors and events, which a painter doesn't need.
  socket.resume();
  return {
    createWindow({ title, programClass, width, height }) {
      lastId += 1;
      // No border, a window for output, and depth and visual of its parent.
      request(createWindowOp, [lastId, root, 0, (height << 16) | width, 1 << 16, 0, 0]);
      setText(lastId, wmName, title);
      setText(lastId, wmClass, `${programClass.toLowerCase()}\0${programClass}\0`);
      return lastId;
    },
    map: (window) => request(mapWindow, [window]),
    unmap: (window) => request(unmapWindow, [window]),
    setState(window, atom, state) {
      // Two values of 32 bits: the state, and no window for an icon.
      request(changeProperty, [window, atom, atom, 32, 2, states[state], 0]);
    },
    fill(color, rectangles) {
      request(changeGc, [gc, foreground, color]);
      const words = rectangles.flatMap(({ x, y, width, height }) => [(y << 16) | x, ((height << 16) | width) >>> 0]);
      request(polyFillRectangle, [root, gc, ...words]);
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** The answer to a connection: its length in words of 4 bytes is in its head. */
async function readWhole(socket: Socket): Promise<Buffer> {
  let answer = Buffer.alloc(0);
  while (answer.length < 8 || answer.length < 8 + answer.readUInt16LE(6) * 4) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    answer = Buffer.concat([answer, bytes]);
  }
  return answer;
}

/** The first screen's root window, and the first id that is free for a client's own resources (section 8). */
function readSetup(answer: Buffer): { root: number; firstId: number } {
  if (answer[0] !== 1) throw new Error('The X server refused the connection.');
  const vendorBytes = Math.ceil(answer.readUInt16LE(24) / 4) * 4;
  const formatBytes = answer.readUInt8(29) * 8;
  return { firstId: answer.readUInt32LE(12), root: answer.readUInt32LE(40 + vendorBytes + formatBytes) };
}
