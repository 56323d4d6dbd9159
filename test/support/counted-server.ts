import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { listenOnLoopback } from './loopback-server.ts';
import { soon } from './soon.ts';

/** An HTTP server with the test's own answers, which counts the requests. */
export async function startCountedServer(answer: RequestListener) {
  let asked = 0;
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  return {
    ...(await listenOnLoopback(server, sockets)),
    /** How many requests have come. */
    get asked() {
      return asked;
    },
    /** Resolves once more than so many further requests have come. */
    async untilAskedAgain(times: number): Promise<void> {
      const since = asked;
      await soon(() => expect(asked).toBeGreaterThan(since + times));
    },
  };
}
