import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../src/shared/contract.ts';
import type { Profile } from '../../src/shared/model/profile.ts';
import { contractProtocol, secretProtocol } from '../../src/shared/page-session.ts';
import type { Answer } from './http-request.ts';

/** The contract's client, as the page has it. */
export type ContractClient = ContractRouterClient<typeof contract>;

/**
 * Opens a headless host's contract as its page does: trades the one-time token of `uiUrl` for a cookie and the page's
 * secret, and opens the socket with both.
 */
export async function openHostContract(uiUrl: string): Promise<{ app: ContractClient; socket: WebSocket } & Disposable> {
  const answer = await fetch(uiUrl, { redirect: 'manual' });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`The token was refused: ${answer.status} ${body}`);
  const { cookie, protocols } = readSession({ headers: Object.fromEntries(answer.headers), body });
  const { origin, host } = new URL(uiUrl);
  // Node's WebSocket accepts headers; a page's does not.
  const socket = new WebSocket(`ws://${host}/contract`, { protocols, headers: { cookie, origin } } as unknown as string[]);
  await once(socket, 'open');
  const app: ContractClient = createORPCClient(new RPCLink({ websocket: socket }));
  return { app, socket, [Symbol.dispose]: () => socket.close() };
}

/** Creates a stream; returns the key of its encoder too. */
export async function createStream(
  app: ContractClient,
  { name, profiles = [] }: { name: string; profiles?: readonly Profile[] },
): Promise<{ id: string; playbackId: string; streamKey: string }> {
  const { id, playbackId } = await app.stream.create({ name, profiles: [...profiles] });
  const { streamKey } = await app.stream.revealKey({ streamId: id });
  return { id, playbackId, streamKey };
}

/** A browser's credentials from the printed URL: the cookie, and the subprotocols that its page then offers. */
export function readSession({ headers, body }: Pick<Answer, 'headers' | 'body'>): { cookie: string; protocols: string[] } {
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  const pageSecret = /data-secret="([^"]+)"/.exec(body)?.[1] ?? '';
  return { cookie, protocols: [contractProtocol, `${secretProtocol}${pageSecret}`] };
}
