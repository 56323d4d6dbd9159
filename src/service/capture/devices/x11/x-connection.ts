import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { findCookie, formatSetupRequest, parseDisplay, readSetup, type XScreen } from './x-address.ts';

/** A server that doesn't answer within this is of no use. */
const timeoutMs = 3_000;

/** A connection to an X server that asks and listens to answers only. */
export interface XConnection extends Disposable {
  readonly screen: XScreen;
  /**
   * Sends a request that has an answer, and resolves with it; undefined if the server answers with an error, for example about a window
   * that has closed meanwhile.
   *
   * @param data the byte in the request's head
   * @param body what follows its head, padded to a multiple of four bytes
   * @throws {Error} if the connection ends
   */
  ask(opcode: number, data: number, body: Buffer): Promise<Buffer | undefined>;
}

/**
 * Connects to an X display, with the cookie of the user's authority file.
 *
 * @throws {Error} if there is no such display, or it refuses the connection
 */
export async function openXConnection(display: string): Promise<XConnection> {
  const address = parseDisplay(display);
  if (address === undefined) throw new Error(`“${display}” is not an X display.`);
  const socket = connect(
    address.host === undefined
      ? { path: `/tmp/.X11-unix/X${address.display}` }
      : { host: address.host, port: 6_000 + address.display },
  );
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const waiting: { resolve: (answer: Buffer | undefined) => void; reject: (error: Error) => void }[] = [];
  const fail = (error: Error) => {
    ended.reject(error);
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The X server closed the connection.')));
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('The X server does not answer.')));
  try {
    await Promise.race([once(socket, 'connect'), ended.promise]);
    const authority = await readFile(process.env.XAUTHORITY || join(homedir(), '.Xauthority')).catch(() => undefined);
    socket.write(formatSetupRequest(authority && findCookie(authority, address.display, hostname())));
    const { answer, rest } = await Promise.race([readSetupAnswer(socket), ended.promise]);
    const screen = readSetup(answer, address.screen);
    readAnswers(socket, rest, (reply) => waiting.shift()?.resolve(reply));
    return {
      screen,
      ask(opcode, data, body) {
        const head = Buffer.alloc(4);
        head.writeUInt8(opcode, 0);
        head.writeUInt8(data, 1);
        head.writeUInt16LE(1 + body.length / 4, 2);
        return new Promise((resolve, reject) => {
          if (socket.destroyed) return reject(new Error('The connection to the X server has ended.'));
          waiting.push({ resolve, reject });
          socket.write(Buffer.concat([head, body]));
        });
      },
      [Symbol.dispose]: () => socket.destroy(),
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The server's answer to a new connection. Its first 8 bytes state how many 4-byte words follow. */
async function readSetupAnswer(socket: Socket): Promise<{ answer: Buffer; rest: Buffer }> {
  let read = Buffer.alloc(0);
  while (read.length < 8 || read.length < 8 + read.readUInt16LE(6) * 4) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    read = Buffer.concat([read, bytes]);
  }
  const length = 8 + read.readUInt16LE(6) * 4;
  return { answer: read.subarray(0, length), rest: read.subarray(length) };
}

/** Splits what the server sends (section 1): answers in the order of the requests, errors as undefined; events are left out. */
function readAnswers(socket: Socket, first: Buffer, onAnswer: (answer: Buffer | undefined) => void): void {
  let read = first;
  const split = () => {
    while (read.length >= 32) {
      const kind = read[0] ?? 0;
      const isLong = kind === 1 || (kind & 0x7f) === 35;
      const length = 32 + (isLong ? read.readUInt32LE(4) * 4 : 0);
      if (read.length < length) return;
      if (kind === 1) onAnswer(read.subarray(0, length));
      else if (kind === 0) onAnswer(undefined);
      read = read.subarray(length);
    }
  };
  socket.on('data', (bytes: Buffer) => {
    read = Buffer.concat([read, bytes]);
    split();
  });
  split();
}
