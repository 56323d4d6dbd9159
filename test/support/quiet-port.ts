import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to programs that request any port: from 32768 on Linux, from 49152 elsewhere. */
const first = 20_000;
/** How many ports a process has for itself, so that test files that run in parallel don't find the same ones. */
const perProcess = 10;
const processes = 1_000;
let found = 0;

/** A free port that stays free until the test uses it: the system gives it to no other program by chance. */
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
