import type { Server } from 'node:net';
import type { Logger } from '../ports.ts';
import { sentenceOf } from './read-error.ts';

/**
 * Logs that a listening server could not accept a connection, as where the system had no memory for it. An error that nobody hears would
 * end the process.
 *
 * The next connection is accepted as usual, except on Windows, where libuv stops listening after such an error.
 *
 * @param name begins a sentence: `The HTTP server`
 * @returns tells why no further connection is accepted, in a sentence; undefined while one is
 */
export function watchAccepting(
  server: Server,
  { name, log, platform = process.platform }: { name: string; log: Pick<Logger, 'error'>; platform?: NodeJS.Platform },
): () => string | undefined {
  let problem: string | undefined;
  server.on('error', (error) => {
    log.error({ err: error }, `${name} could not accept a connection.`);
    if (platform === 'win32') problem = `${name} accepts no connections any more (${sentenceOf(error)}). Restart Tallylight.`;
  });
  return () => problem;
}
