import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback-server.ts';

/** A request to the service. */
export interface AskedRequest {
  method: string;
  /** Path and query. */
  path: string;
  authorization: string | undefined;
  body: string;
}

/** Answers a request by returning JSON or a response with a status. If it returns undefined, it answers by itself. */
export type Answer = (
  asked: AskedRequest,
  response: ServerResponse,
) => { status?: number; headers?: Record<string, string>; json?: unknown } | undefined;

/** A remote service with the test's own answers, over HTTP or, with a certificate, HTTPS. */
export async function startOddService(answer: Answer, tls?: { cert: string; key: string }) {
  const asked: AskedRequest[] = [];
  const sockets = new Set<Socket>();
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, authorization: headers.authorization, body: await text(request) };
    asked.push(one);
    const said = answer(one, response);
    if (said === undefined) return;
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers });
    response.end(said.json === undefined ? undefined : JSON.stringify(said.json));
  };
  const server = tls ? createSecureServer(tls, onRequest) : createServer(onRequest);
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.on('tlsClientError', () => {});
  const { port, ...rest } = await listenOnLoopback(server, sockets);
  return { ...rest, port, asked, baseUrl: `http${tls ? 's' : ''}://localhost:${port}/api` };
}

/** A region's pair as services list it. */
export const oddPair = {
  ingest: 'rtmp://fra-rtmp.example.com/live',
  playback: 'https://fra-cdn.example.com/hls',
  base: 'https://fra-cdn.example.com',
};

/** Answers as a service without streams does. */
export const answerWell: Answer = ({ path }) => {
  if (path === '/api/ingest') return { json: [{ ingest: oddPair.ingest, playback: oddPair.playback }] };
  if (path === '/api/ingest?first=false') return { json: [oddPair] };
  return { json: [] };
};
