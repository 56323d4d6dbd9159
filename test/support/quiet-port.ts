import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to programs that ask for any: from 32768 on Linux, from 49152 elsewhere. */
const first = 20_000;
/** How many a process has for itself, so that files of tests that run side by side don't find the same ones. */
const perProcess = 10;
const processes = 1_000;
let found = 0;

/** A free port that stays free until the test uses it: nobody else is given it by chance. */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = first + (process.pid % processes) * perProcess + (found++ % perProcess);
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
