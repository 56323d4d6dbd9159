import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';

/** A response as received from the socket. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/**
 * A request that no browser or `fetch` would send: `Host`, `Origin` and `Cookie` as given, no redirect followed. Over HTTPS, `ca` is the
 * one authority trusted, and the certificate is that of the URL's name, whatever `Host` says.
 */
export async function sendRequest(
  url: string,
  { method = 'GET', headers = {}, ca }: { method?: string; headers?: Record<string, string>; ca?: Buffer } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { method, headers, agent: false };
  const { protocol, hostname } = new URL(url);
  // Node would take it from `Host`. An address is no server name (RFC 6066 §3).
  const servername = isIP(hostname) === 0 ? hostname : '';
  const sent =
    protocol === 'https:' ? requestHttps(url, { ...options, servername, ...(ca && { ca }) }) : requestHttp(url, options);
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
