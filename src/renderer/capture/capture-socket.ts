import { capturePath, captureProtocol, ticketProtocol } from '../../shared/capture-message.ts';
import type { ContractClient } from '../client/connection.ts';
import { isDesktopPage } from '../client/is-desktop-page.ts';

/** How long a socket may take to open; browsers themselves would wait minutes. */
const openingMs = 5_000;

/** The description of a capture that precedes its media. */
type Hello = Parameters<ContractClient['pageCapture']['open']>[0];

/** Opens the socket that takes a capture's media, with a ticket that only our own pages get. */
export async function openCaptureSocket(client: ContractClient, hello: Hello): Promise<WebSocket> {
  const { ticket } = await client.pageCapture.open(hello);
  const socket = new WebSocket(await findSocketUrl(client), [captureProtocol, `${ticketProtocol}${ticket}`]);
  socket.binaryType = 'arraybuffer';
  const opening = setTimeout(() => socket.close(), openingMs);
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => {
      clearTimeout(opening);
      resolve(socket);
    });
    socket.addEventListener('close', () => {
      clearTimeout(opening);
      reject(new Error('The socket of a capture was closed.'));
    });
  });
}

/** In a browser, the service that served the page; in the app, the service on this computer. */
async function findSocketUrl(client: ContractClient): Promise<string> {
  const base = isDesktopPage(window) ? await findServiceUrl(client) : window.location.href;
  const url = new URL(capturePath, base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

async function findServiceUrl(client: ContractClient): Promise<string> {
  for await (const { localPlaybackBaseUrl } of await client.service.watch()) return localPlaybackBaseUrl;
  throw new Error("The service didn't identify itself.");
}
