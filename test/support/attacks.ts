import { connect, type Socket } from 'node:net';
import { ChunkWriter } from '../../src/service/rtmp/chunk-writer.ts';
import { formatCommand } from '../../src/service/rtmp/commands.ts';
import { formatSetChunkSize, formatUserControl, type RtmpMessage, userControlEvent } from '../../src/service/rtmp/messages.ts';
import { forgeAvcRecord } from './forged-avc-record.ts';
import { openRawPublisher } from './raw-publisher.ts';

/** The URLs and sockets of a host that strangers and a page can reach. */
export interface AttackedHost {
  httpPort: number;
  rtmpPort: number;
  /** An HLS path with a response of some kilobytes. */
  segmentPath: string;
  /** A valid stream key of a stream that nobody else uses. */
  streamKey: string;
  /** The page's own socket. */
  page: WebSocket;
}

/** An attack that runs until it is aborted; `open` creates sockets that are closed then. */
type Attack = (host: AttackedHost, open: (port: number, say: (socket: Socket) => void) => void, signal: AbortSignal) => void;

/** Keeps a socket's send buffer full until it closes. */
function flood(socket: Socket, bytes: Buffer): void {
  const send = () => void (socket.writable && socket.write(bytes, send));
  send();
}

/** RTMP connections that shake hands correctly, send `first`, then repeat the same bytes; each one that is closed reconnects. */
function floodRtmp(count: number, formatFirst: (host: AttackedHost) => Buffer[], formatRest: () => Buffer): Attack {
  return (host, open, signal) => {
    const begin = () =>
      open(host.rtmpPort, async (socket) => {
        socket.once('close', () => !signal.aborted && setTimeout(begin, 50));
        await openRawPublisher(socket);
        socket.removeAllListeners('data').resume();
        for (const bytes of formatFirst(host)) socket.write(bytes);
        flood(socket, formatRest());
      });
    for (let turn = 0; turn < count; turn += 1) begin();
  };
}

const format = (message: RtmpMessage, chunkStreamId = 3) => new ChunkWriter().format(chunkStreamId, message);
const repeat = (bytes: Buffer) => Buffer.concat(Array.from({ length: Math.ceil(30_000 / bytes.length) }, () => bytes));

const connecting = () => [format(formatCommand(0, 'connect', 1, { app: 'live' }))];
const publishing = ({ streamKey }: AttackedHost) => [
  ...connecting(),
  format(formatCommand(0, 'createStream', 2, null)),
  format(formatCommand(1, 'publish', 3, null, streamKey, 'live')),
];
const oneByteChunks = () => {
  const header = Buffer.from([40, 0, 0, 0, 0, 0x75, 0x30, 0x0f, 1, 0, 0, 0]);
  return Buffer.concat([header, Buffer.alloc(2 * (30_000 - 1), Buffer.of(0, 0xc0 | 40)), Buffer.of(0)]);
};
const largeChunks = format(formatSetChunkSize(16_000_000), 2);

/** A script data message of the maximum length. */
function hugeScript(value: string): Buffer {
  const payload = Buffer.concat([Buffer.from('02000a6f6e4d65746144617461', 'hex'), Buffer.alloc(15_000_000, value, 'hex')]);
  const header = Buffer.from([4, 0, 0, 0, 0, 0, 0, 18, 1, 0, 0, 0]);
  header.writeUIntBE(payload.length, 4, 3);
  return Buffer.concat([header, payload]);
}

function forgedHeader(): Buffer {
  const payload = Buffer.concat([Buffer.from('1700000000', 'hex'), forgeAvcRecord(4096, 4096, 32_000)]);
  return format({ typeId: 9, streamId: 1, timestampMs: 0, payload }, 6);
}

/** Attacks that were reproduced against a host, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  'malformed HTTP': ({ httpPort }, open) => {
    for (let turn = 0; turn < 400; turn += 1) open(httpPort, (socket) => socket.write('\x03nonsense\r\n\r\n'));
  },
  'slow HTTP': ({ httpPort }, open, signal) => {
    for (let turn = 0; turn < 400; turn += 1) {
      open(httpPort, (socket) => {
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nX: ');
        const timer = setInterval(() => void (socket.writable && socket.write('x')), 500);
        signal.addEventListener('abort', () => clearInterval(timer));
      });
    }
  },
  'viewers that do not read': ({ httpPort, segmentPath }, open) => {
    const requests = `GET ${segmentPath} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200);
    for (let turn = 0; turn < 50; turn += 1) open(httpPort, (socket) => socket.pause().write(requests));
  },
  'idle RTMP': ({ rtmpPort }, open) => {
    for (let turn = 0; turn < 300; turn += 1) open(rtmpPort, () => {});
  },
  'bytes that are not RTMP': ({ rtmpPort }, open) => {
    for (let turn = 0; turn < 50; turn += 1) open(rtmpPort, (socket) => flood(socket, Buffer.alloc(64 * 1024, 3)));
  },
  'one-byte chunks without a key': floodRtmp(20, () => [format(formatSetChunkSize(1), 2)], oneByteChunks),
  'keyless FCPublish': floodRtmp(20, connecting, () => repeat(format(formatCommand(0, 'FCPublish', 1, null, 'x')))),
  'one-byte chunks with a key': floodRtmp(1, (host) => [...publishing(host), format(formatSetChunkSize(1), 2)], oneByteChunks),
  'FCPublish with a key': floodRtmp(1, publishing, () => repeat(format(formatCommand(0, 'FCPublish', 1, null, 'x')))),
  'pings with a key': floodRtmp(1, publishing, () => repeat(format(formatUserControl(userControlEvent.pingRequest, 1), 2))),
  'forged sequences': floodRtmp(1, publishing, () => repeat(forgedHeader())),
  'script tags of 15 MB': floodRtmp(
    1,
    (host) => [...publishing(host), largeChunks, ...['05', '0a00000001', '0800000000000161'].map(hugeScript)],
    () => hugeScript('05'),
  ),
  'messages from a page': ({ page }, _open, signal) => {
    const send = () => {
      for (let turn = 0; turn < 1_000 && page.bufferedAmount < 1_000_000; turn += 1) page.send('{"i":"1","t":4}');
      if (!signal.aborted) setTimeout(send, 5);
    };
    send();
  },
};

/** Runs an attack until the result is disposed, which closes its sockets. */
export function startAttack(name: keyof typeof attacks & string, host: AttackedHost): Disposable {
  const ending = new AbortController();
  const sockets = new Set<Socket>();
  const open = (port: number, say: (socket: Socket) => void) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.once('connect', () => say(socket));
  };
  attacks[name]?.(host, open, ending.signal);
  return {
    [Symbol.dispose]() {
      ending.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}
