import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { FaultLane, type LaneFaults, noFaults } from './fault-lane.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { readTlsPair, type TestCertificate } from './tls-fixtures.ts';

export interface FaultProxyOptions {
  /** A loopback address. With an address of its own (127.0.0.2), no other program takes its port while it refuses connections. */
  host?: string;
  /** Clients connect over TLS, and the server behind it is plain. */
  certificate?: TestCertificate;
  /** Delays and throttles only data from the server. */
  isOneWay?: boolean;
}

/** The bytes that an RTMP client sends before any media: its handshake (3,073 bytes) and its commands. */
const helloBytes = 4_096;

/** The two lanes of a connection, and its sockets; `raw` is the client's, under TLS too. */
interface Link {
  target: Socket;
  raw: Socket;
  up: FaultLane;
  down: FaultLane;
}

/**
 * A TCP proxy on loopback whose network can be made bad at any moment. A setting applies to open connections and to later ones.
 */
export class FaultProxy implements AsyncDisposable {
  readonly #targetPort: number;
  readonly #host: string;
  readonly #isOneWay: boolean;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #links = new Set<Link>();
  #listening: Awaited<ReturnType<typeof listenOnLoopback>> | undefined;
  #faults = noFaults;
  #port = 0;
  #mediaAt: number | undefined;
  #connectionCount = 0;
  #setCertificate: (certificate: TestCertificate) => void = () => {};
  /** The name that each client asked for by SNI. */
  readonly names: (string | false | null)[] = [];

  constructor(targetPort: number, { host = '127.0.0.1', certificate, isOneWay = false }: FaultProxyOptions) {
    this.#targetPort = targetPort;
    this.#host = host;
    this.#isOneWay = isOneWay;
    if (certificate === undefined) {
      this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => this.#take(client, client));
    } else {
      const server = createTlsServer({ ...readTlsPair(certificate), noDelay: true, allowHalfOpen: true });
      const rawOf = new Map<number | undefined, Socket>();
      server.on('connection', (raw: Socket) => rawOf.set(raw.remotePort, raw));
      server.on('secureConnection', (client: TLSSocket) => {
        this.names.push(client.servername);
        this.#take(client, rawOf.get(client.remotePort) ?? client);
      });
      server.on('tlsClientError', () => {});
      this.#setCertificate = (next) => server.setSecureContext(readTlsPair(next));
      this.#server = server;
    }
    this.#server.on('connection', (socket: Socket) => {
      this.#connectionCount += 1;
      this.#keep(socket);
    });
  }

  get port(): number {
    return this.#port;
  }

  /** The number of connections so far. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** The number of open connections. */
  get openCount(): number {
    return this.#links.size;
  }

  /** When a client's media was last forwarded, in epoch milliseconds; undefined before the first. */
  get mediaAt(): number | undefined {
    return this.#mediaAt;
  }

  /** Takes connections, at the same port as before. */
  async accept(): Promise<void> {
    this.#listening ??= await listenOnLoopback(this.#server, this.#sockets, this.#host, this.#port);
    this.#port = this.#listening.port;
  }

  /** Refuses new connections; open ones stay. */
  refuse(): void {
    this.#listening = undefined;
    this.#server.close();
  }

  /** Resets the open connections. */
  reset(): void {
    for (const { raw, target } of this.#links) {
      raw.resetAndDestroy();
      target.resetAndDestroy();
    }
  }

  /** Stops reading, as if packets vanished on the way: senders notice nothing until the system's buffers are full. */
  stall(): void {
    this.#change({ state: 'stalls' });
  }

  /** Reads data and discards it, like a dead server on a live network. */
  loseAll(): void {
    this.#change({ state: 'loses' });
  }

  /** Delivers again. Lost data stays lost. */
  resume(): void {
    this.#change({ state: 'works' });
  }

  /** Limits the capacity of each direction; undefined: unlimited. */
  throttle(bitsPerSecond: number | undefined): void {
    this.#change({ bitsPerSecond });
  }

  /** Adds this much to the way there and to the way back, and up to `jitterMs` at random. */
  delay(delayMs: number, jitterMs = 0): void {
    this.#change({ delayMs, jitterMs });
  }

  /** Sets the certificate for later connections. */
  set certificate(certificate: TestCertificate) {
    this.#setCertificate(certificate);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening?.[Symbol.asyncDispose]();
    for (const socket of this.#sockets) socket.destroy();
  }

  #change(faults: Partial<LaneFaults>): void {
    this.#faults = { ...this.#faults, ...faults };
    for (const { up, down } of this.#links) {
      up.faults = this.#upFaults;
      down.faults = this.#faults;
    }
  }

  get #upFaults(): LaneFaults {
    return this.#isOneWay ? { ...noFaults, state: this.#faults.state } : this.#faults;
  }

  /** A new connection is delayed as long as its data. */
  #take(client: Socket, raw: Socket): void {
    const { delayMs } = this.#upFaults;
    if (delayMs === 0) {
      this.#link(client, raw);
      return;
    }
    client.pause();
    const link = setTimeout(() => this.#link(client, raw), delayMs);
    client.once('close', () => clearTimeout(link));
  }

  #link(client: Socket, raw: Socket): void {
    const target = connect({ port: this.#targetPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#keep(client);
    this.#keep(target);
    const up = new FaultLane(client, target, this.#upFaults, () => {
      if (client.bytesRead > helloBytes) this.#mediaAt = Date.now();
    });
    const link = { target, raw, up, down: new FaultLane(target, client, this.#faults, () => {}) };
    this.#links.add(link);
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      socket.on('close', (isBroken) => {
        this.#links.delete(link);
        // Data sent before an orderly close is in flight, and arrives.
        if (isBroken) other.destroy();
      });
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
  }
}

/** Starts a proxy in front of a port of this computer. */
export async function startFaultProxy(targetPort: number, options: FaultProxyOptions = {}): Promise<FaultProxy> {
  const proxy = new FaultProxy(targetPort, options);
  await proxy.accept();
  return proxy;
}
