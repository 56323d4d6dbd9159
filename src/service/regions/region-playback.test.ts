import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listenOnLoopback } from '../../../test/support/loopback-server.ts';
import { untilPlayable } from './region-playback.ts';

test('a stream can be played once its playlist is there; until then it is asked for again', async () => {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(({ url }, response) => {
    asked.push(url ?? '');
    if (asked.length === 1) response.socket?.destroy();
    else response.writeHead(asked.length === 2 ? 404 : 200).end('#EXTM3U');
  });
  server.on('connection', (socket) => sockets.add(socket));
  await using listening = await listenOnLoopback(server, sockets);
  const url = `http://127.0.0.1:${listening.port}/hls/abc/index.m3u8`;
  expect(await untilPlayable(url, new AbortController().signal, 10)).toBe(true);
  expect(asked).toEqual(Array(3).fill('/hls/abc/index.m3u8'));
});

test('aborting ends the wait', async () => {
  const abort = new AbortController();
  const playable = untilPlayable('http://127.0.0.1:1/hls/abc/index.m3u8', abort.signal);
  abort.abort();
  expect(await playable).toBe(false);
});
