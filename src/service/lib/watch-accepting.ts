import type { Server } from 'node:net';
import type { Logger } from '../ports.ts';
import { createSeldomWarning } from './log-seldom.ts';
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
  // Where it is tried again at once, it fails at once.
  const tell = createSeldomWarning(
    (details, sentence) => log.error(details, sentence),
    () => performance.now(),
  );
  server.on('error', (error) => {
    tell({ err: error }, `${name} could not accept a connection.`);
    if (platform === 'win32') problem = `${name} accepts no connections any more (${sentenceOf(error)}). Restart Tallylight.`;
  });
  return () => problem;
}
