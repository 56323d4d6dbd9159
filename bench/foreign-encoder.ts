import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { killChild } from '../src/service/lib/kill-child.ts';

/** A publisher that is not ours: ffmpeg publishes a file in real time. */
export interface ForeignEncoder extends AsyncDisposable {
  /** The time of the ingest's `NetStream.Publish.Start`, in Unix milliseconds. */
  startedAt: Promise<number>;
}

/** Publishes to an RTMP ingest on this computer; reads the ingest's replies on the way. */
export async function startForeignEncoder(
  ffmpegPath: string,
  { file, rtmpPort, streamKey }: { file: string; rtmpPort: number; streamKey: string },
): Promise<ForeignEncoder> {
  const started = Promise.withResolvers<number>();
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (encoder) => {
    const ingest = connect({ port: rtmpPort, host: '127.0.0.1', noDelay: true });
    ingest.on('data', (bytes) => {
      if (bytes.includes('NetStream.Publish.Start')) started.resolve(Date.now());
    });
    for (const socket of [encoder, ingest]) sockets.add(socket.on('error', () => {}));
    encoder.pipe(ingest).pipe(encoder);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `rtmp://127.0.0.1:${(server.address() as AddressInfo).port}/live/${streamKey}`;
  const child = spawn(
    ffmpegPath,
    ['-hide_banner', '-loglevel', 'error', '-nostdin', '-re', '-i', file, '-c', 'copy', '-f', 'flv', url],
    { stdio: ['ignore', 'ignore', 2] },
  );
  const ended = once(child, 'exit');
  void ended.then(([code]) => started.reject(new Error(`ffmpeg ended with ${code} before it published.`)));
  return {
    startedAt: started.promise,
    async [Symbol.asyncDispose]() {
      killChild(child, 'SIGKILL');
      await ended;
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
