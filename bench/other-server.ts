import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killChild } from '../src/service/lib/kill-child.ts';

/** Another program that takes RTMP and packages HLS, to compare with. */
export interface OtherServer {
  name: string;
  program: string;
  /** Its configuration: it takes `rtmp://127.0.0.1:<port>/live/<any key>`, has another port for whatever else, and its files in `home`. */
  configure(options: { port: number; otherPort: number; home: string }): string;
  /** Its arguments, to run as one process. */
  args(configuration: string, home: string): readonly string[];
}

export interface RunningServer extends AsyncDisposable {
  pid: number;
  port: number;
}

const host = '127.0.0.1';
const startTimeoutMs = 5_000;

/** Starts a server with its files below `folder`, and waits until it listens. */
export async function startServer({ name, program, configure, args }: OtherServer, folder: string): Promise<RunningServer> {
  const home = await mkdtemp(join(folder, `${name}-`));
  const [port, otherPort] = [await findFreePort(), await findFreePort()];
  const configuration = join(home, 'configuration');
  await writeFile(configuration, configure({ port, otherPort, home }));
  const child = spawn(program, args(configuration, home), { cwd: home, stdio: ['ignore', 'ignore', 2] });
  const ended = once(child, 'exit');
  const server = {
    pid: child.pid as number,
    port,
    [Symbol.asyncDispose]: async () => {
      killChild(child, 'SIGTERM');
      await ended;
    },
  };
  const giveUpAt = performance.now() + startTimeoutMs;
  while (!(await isListening(port))) {
    if (performance.now() < giveUpAt) await sleep(20);
    else {
      await server[Symbol.asyncDispose]();
      throw new Error(`${name} did not start.`);
    }
  }
  return server;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
