import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

/** A response as received from the socket. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/**
 * A request that no browser or `fetch` would send: `Host`, `Origin` and `Cookie` as given, no redirect followed. Over HTTPS, `ca` is the
 * one authority trusted.
 */
export async function sendRequest(
  url: string,
  { method = 'GET', headers = {}, ca }: { method?: string; headers?: Record<string, string>; ca?: Buffer } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { method, headers, agent: false };
  const sent = url.startsWith('https:') ? requestHttps(url, { ...options, ...(ca && { ca }) }) : requestHttp(url, options);
  sent.on('response', async (response) => {
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
  });
  sent.on('upgrade', (response, socket) => {
    socket.destroy();
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

/** Requests a WebSocket: resolves with 101 when it is granted. */
export function sendUpgrade(url: string, headers: Record<string, string>, ca?: Buffer): Promise<Answer> {
  return sendRequest(url, {
    ...(ca && { ca }),
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
      ...headers,
    },
  });
}

/** Whether nothing answers at this URL. */
export const isFree = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );
