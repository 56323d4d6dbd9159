import type { Server } from 'node:net';
import type { Logger } from '../ports.ts';
import { createSeldomWarning } from './log-seldom.ts';
import { sentenceOf } from './read-error.ts';

/**
 * Logs when a listening server can't accept a connection, for example because the system is out of memory. An error without a listener
 * would end the process.
 *
 * The next connection is accepted as usual, except on Windows, where libuv stops listening after such an error.
 *
 * @param name begins a sentence: `The HTTP server`
 * @returns a function that explains in a sentence why no more connections are accepted; undefined while they are
 */
export function watchAccepting(
  server: Server,
  { name, log, platform = process.platform }: { name: string; log: Pick<Logger, 'error'>; platform?: NodeJS.Platform },
): () => string | undefined {
  let problem: string | undefined;
  // An immediate retry fails again.
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
