import { RPCHandler } from '@orpc/server/message-port';
import type { ContractRouter } from '../service/handlers/router.ts';

/** A port that can carry the contract: the part of Electron's `MessagePortMain` that we use. */
export interface ContractPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}

/**
 * Answers the contract's calls on `port`.
 *
 * When either side closes the port, all its calls and event iterators are cancelled. `onUnreadable` receives messages that
 * aren't oRPC's; they are dropped.
 *
 * @returns closes the port.
 */
export function serveContract(router: ContractRouter, port: ContractPort, onUnreadable: (error: unknown) => void): () => void {
  const endListeners: (() => void)[] = [];
  const end = () => {
    for (const listener of endListeners.splice(0)) listener();
  };
  new RPCHandler(router).upgrade({
    on: (event, listener) => {
      if (event === 'close') {
        endListeners.push(listener);
      } else {
        port.on('message', ({ data }) => {
          Promise.resolve({ data }).then(listener).catch(onUnreadable);
        });
      }
    },
    postMessage: (message: unknown) => port.postMessage(message),
  });
  port.on('close', end);
  port.start();
  return () => {
    // Electron doesn't report a close to the side that closed the port.
    end();
    port.close();
  };
}
