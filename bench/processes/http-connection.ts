import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response with its complete body. */
export interface HttpAnswer {
  status: number;
  body: Buffer;
}

/** A keep-alive connection with one request at a time and minimal overhead, for responses with a Content-Length. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #port: number;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #neededBytes = 0;
  #headBytes = 0;
  #status = 0;
  #waiting: PromiseWithResolvers<HttpAnswer> | undefined;

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket, port);
  }

  private constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#port = port;
    socket.on('error', () => {});
    socket.on('close', () => this.#waiting?.reject(new Error('The service closed a connection.')));
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  get(path: string): Promise<HttpAnswer> {
    this.#waiting = Promise.withResolvers();
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n\r\n`);
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#received.push(bytes);
    this.#receivedBytes += bytes.length;
    if (this.#neededBytes === 0) {
      const head = this.#received.length === 1 ? bytes : Buffer.concat(this.#received);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const text = head.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (length === undefined) return void this.#waiting?.reject(new Error(`A response without a Content-Length: ${text}`));
      this.#status = Number(text.slice(9, 12));
      this.#headBytes = end + 4;
      this.#neededBytes = this.#headBytes + Number(length);
    }
    if (this.#receivedBytes < this.#neededBytes) return;
    const whole = this.#received.length === 1 ? bytes : Buffer.concat(this.#received);
    const answer = { status: this.#status, body: whole.subarray(this.#headBytes) };
    this.#received = [];
    this.#receivedBytes = 0;
    this.#neededBytes = 0;
    this.#waiting?.resolve(answer);
  }
}
