import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A rectangle in pixels, from the upper left corner of the screen. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Paints on the background of an X screen. */
export interface XPainter extends Disposable {
  /** Fills rectangles with a color, `0xRRGGBB`. They appear in the order of the calls. */
  fill(color: number, rectangles: readonly Rectangle[]): void;
}

/** Opcodes of requests, and the bit of a graphics context's foreground (X Window System Protocol, version 11, appendix B). */
const createGc = 55;
const changeGc = 56;
const polyFillRectangle = 70;
const foreground = 4;

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
  const gc = firstId;
  request(createGc, [gc, root, foreground, 0]);
  // Errors and events, which tell a painter nothing.
  socket.resume();
  return {
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
