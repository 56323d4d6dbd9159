import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { serveContractSocket } from '../../src/headless/contract-socket.ts';
import { type ContractPort, serveContract } from '../../src/main/serve-contract.ts';
import type { ContractRouter } from '../../src/service/handlers/router.ts';
import type { contract } from '../../src/shared/contract.ts';

/** A client of the contract over one of its transports. */
export interface ContractConnection extends AsyncDisposable {
  client: ContractRouterClient<typeof contract>;
  /** Paths of the calls made, like `stream.create`. */
  called: ReadonlySet<string>;
  /** Closes it from the client's side, as a page does when it goes away. */
  close(): void;
}

/** Over a MessagePort, as in the desktop app. */
export async function connectByPort(router: ContractRouter): Promise<ContractConnection> {
  const { port1, port2 } = new MessageChannel();
  const closePort = serveContract(router, toElectronPort(port1), (error) => {
    throw error;
  });
  const { called, interceptors } = recordCalls();
  return {
    client: createORPCClient(new PortLink({ port: port2 as never, interceptors })),
    called,
    close: () => port2.close(),
    [Symbol.asyncDispose]: async () => closePort(),
  };
}

/** Over a WebSocket, as in a browser. */
export async function connectBySocket(router: ContractRouter): Promise<ContractConnection> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = serveContractSocket(server, { router, findRefusal: () => undefined });
  const { port } = server.address() as AddressInfo;
  const websocket = new WebSocket(`ws://127.0.0.1:${port}/contract`);
  websocket.binaryType = 'arraybuffer';
  const { called, interceptors } = recordCalls();
  return {
    client: createORPCClient(new SocketLink({ websocket, interceptors })),
    called,
    close: () => websocket.close(),
    [Symbol.asyncDispose]: async () => {
      await hangUp();
      server.close();
    },
  };
}

function recordCalls() {
  const called = new Set<string>();
  const record = <Result>({ path, next }: { path: readonly string[]; next: () => Promise<Result> }) => {
    called.add(path.join('.'));
    return next();
  };
  return { called, interceptors: [record] };
}

/** Node's port with Electron's events, which are wrapped. */
function toElectronPort(port: MessagePort): ContractPort {
  return {
    on: (event: 'message' | 'close', listener: (event: { data: unknown }) => void) =>
      port.on(event, (data: unknown) => listener({ data })),
    postMessage: (message) => port.postMessage(message),
    start: () => port.start(),
    close: () => port.close(),
  };
}
