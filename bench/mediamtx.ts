import { listOnPath } from '../src/service/lib/list-on-path.ts';
import type { OtherServer } from './other-server.ts';

/** MediaMTX on PATH, packaging low-latency HLS with parts and a window like the service's; undefined if not installed. */
export function findMediaMtx(): OtherServer | undefined {
  const [program] = listOnPath('mediamtx');
  if (program === undefined) return undefined;
  return {
    name: 'MediaMTX',
    program,
    configure: ({ port, otherPort }) => `logLevel: warn
rtsp: no
webrtc: no
srt: no
moq: no
rtmpAddress: 127.0.0.1:${port}
hlsAddress: 127.0.0.1:${otherPort}
hlsAlwaysRemux: yes
hlsVariant: lowLatency
hlsPartDuration: 200ms
hlsSegmentDuration: 2s
hlsSegmentCount: 30
paths:
  all_others:
`,
    args: (configuration) => [configuration],
  };
}
