import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listOnPath } from '../src/service/lib/list-on-path.ts';
import type { OtherServer } from './other-server.ts';

/** nginx with its RTMP module as in Debian's `libnginx-mod-rtmp`, which packages HLS into files; undefined if not installed. */
export function findNginxRtmp(): OtherServer | undefined {
  const found = [...listOnPath('nginx'), '/usr/sbin/nginx']
    .map((program) => ({ program, module: join(dirname(dirname(program)), 'lib/nginx/modules/ngx_rtmp_module.so') }))
    .find(({ program, module }) => existsSync(program) && existsSync(module));
  if (found === undefined) return undefined;
  const { program, module } = found;
  return {
    name: 'nginx-rtmp',
    program,
    configure: ({ port, home }) => `load_module ${module};
daemon off;
master_process off;
pid ${home}/nginx.pid;
events {}
rtmp {
  access_log off;
  server {
    listen 127.0.0.1:${port};
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
    args: (configuration, home) => ['-p', home, '-c', configuration, '-e', 'stderr'],
  };
}
