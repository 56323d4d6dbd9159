import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An nginx with the RTMP module, which packages HLS as the service does, but into files. */
export interface NginxRtmp extends AsyncDisposable {
  pid: number;
  port: number;
}

export interface NginxInstallation {
  program: string;
  module: string;
}

const host = '127.0.0.1';
const startTimeoutMs = 5_000;

/** The paths of nginx and its RTMP module as in Debian's `libnginx-mod-rtmp`; undefined if not installed. */
export function findNginxRtmp(): NginxInstallation | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders
    .map((folder) => ({
      program: join(folder, 'nginx'),
      module: join(dirname(folder), 'lib', 'nginx', 'modules', 'ngx_rtmp_module.so'),
    }))
    .find(({ program, module }) => existsSync(program) && existsSync(module));
}

/** Starts nginx as a single process, with its files in `folder`. */
export async function startNginxRtmp({ program, module }: NginxInstallation, folder: string): Promise<NginxRtmp> {
  const home = await mkdtemp(join(folder, 'nginx-'));
  const port = await findFreePort();
  const configuration = join(home, 'nginx.conf');
  await writeFile(
    configuration,
    `load_module ${module};
daemon off;
master_process off;
pid ${home}/nginx.pid;
events {}
rtmp {
  access_log off;
  server {
    listen ${host}:${port};
    application live {
      live on;
      hls on;
      hls_path ${home}/hls;
      hls_fragment 2s;
      hls_playlist_length 60s;
    }
  }
}
`,
  );
  const child = spawn(program, ['-p', home, '-c', configuration, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 2] });
  const ended = once(child, 'exit');
  const nginx = {
    pid: child.pid as number,
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
  const giveUpAt = performance.now() + startTimeoutMs;
  while (!(await isListening(port))) {
    if (performance.now() < giveUpAt) await sleep(20);
    else {
      await nginx[Symbol.asyncDispose]();
      throw new Error('nginx did not start.');
    }
  }
  return nginx;
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
