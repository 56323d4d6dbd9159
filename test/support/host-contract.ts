import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../src/shared/contract.ts';

/** The contract's client, as the page has it. */
export type ContractClient = ContractRouterClient<typeof contract>;

/**
 * Opens the contract of a headless host as its page does: the one-time token of `uiUrl` is traded for a cookie, and the
 * socket opened with it.
 */
export async function openHostContract(uiUrl: string): Promise<{ app: ContractClient } & Disposable> {
  const answer = await fetch(uiUrl, { redirect: 'manual' });
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (cookie === undefined) throw new Error(`The token was not taken: ${answer.status} ${await answer.text()}`);
  const { origin, host } = new URL(uiUrl);
  // Node's own WebSocket takes headers, which a page's does not.
  const socket = new WebSocket(`ws://${host}/contract`, { headers: { cookie, origin } } as unknown as string[]);
  await once(socket, 'open');
  const app: ContractClient = createORPCClient(new RPCLink({ websocket: socket }));
  return { app, [Symbol.dispose]: () => socket.close() };
}
