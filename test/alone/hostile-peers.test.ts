import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { databaseFileName } from '../../src/service/lib/data-folder.ts';
import { startRtmpPublisher } from '../../src/service/rtmp/rtmp-client.ts';
import { broadcast } from '../support/flv-builder.ts';
import { sendTag } from '../support/tag-role.ts';
import { startTestService } from '../support/test-service.ts';

/** Open sockets of this process, at both ends of each connection; on Linux also its descriptors. */
function countOpen() {
  const sockets = process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
  return { sockets, ...(process.platform === 'linux' && { descriptors: findDescriptors().length }) };
}

/** What the descriptors of sockets and files lead to. Pipes of a meter's ffmpeg come and go, and the store's own connections. */
function findDescriptors(): string[] {
  const targets = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return ''; // Closed since, like the one that listed them.
    }
  });
  return targets.filter(
    (target) => target.startsWith('socket:') || (target.startsWith('/') && !target.includes(databaseFileName)),
  );
}

/** Sockets of an attack. Their side stays open, whatever the service does. */
class Attack {
  readonly #sockets: Socket[] = [];

  open(port: number, say: (socket: Socket) => void): void {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.#sockets.push(socket);
    socket.on('error', () => {});
    socket.once('connect', () => say(socket));
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Fetches a URL without leaving a connection open. */
function ask(url: string): Promise<Response> {
  return fetch(url, { headers: { connection: 'close' } });
}

/** Writes the same bytes repeatedly, as fast as they are accepted. */
function flood(socket: Socket, bytes: Buffer): void {
  const send = () => void (socket.writable && socket.write(bytes, send));
  send();
}

test('malformed, idle, flooding and unread connections harm no broadcast, and leave no descriptor open', async () => {
  await using service = await startTestService();
  const { httpPort, rtmpPort, playbackBaseUrl } = service.urls;
  const { id, playbackId } = await service.app.stream.create({ name: 'attacked' });
  const { streamKey } = await service.app.stream.revealKey({ streamId: id });
  const before = countOpen();

  const attack = new Attack();
  for (let turn = 0; turn < 400; turn += 1) attack.open(httpPort, (socket) => socket.write('\x03nonsense\r\n\r\n'));
  for (let turn = 0; turn < 100; turn += 1) attack.open(httpPort, () => {});
  for (let turn = 0; turn < 300; turn += 1) attack.open(rtmpPort, () => {});
  for (let turn = 0; turn < 50; turn += 1) attack.open(rtmpPort, (socket) => flood(socket, Buffer.alloc(64 * 1024, 3)));

  const stopping = new AbortController();
  const publisher = await startRtmpPublisher({
    url: `rtmp://127.0.0.1:${rtmpPort}/live`,
    streamKey,
    signal: stopping.signal,
  });
  const playlistUrl = `${playbackBaseUrl}/${playbackId}/source/index.m3u8`;
  let segments = 0;
  for (const [index, tag] of broadcast({ durationMs: 9_000, frameBytes: 4_000 }).entries()) {
    sendTag(publisher, tag);
    if (index % 100 === 99) await sleep(50);
  }
  for (let turn = 0; turn < 100 && segments < 3; turn += 1) {
    const playlist = await ask(playlistUrl);
    segments = playlist.ok ? (await playlist.text()).split('#EXTINF').length - 1 : 0;
    // Requests a segment, and never reads it.
    attack.open(httpPort, (socket) => socket.pause().write(`GET /hls/${playbackId}/source/0.m4s HTTP/1.1\r\nHost: x\r\n\r\n`));
    await sleep(50);
  }
  expect(segments).toBeGreaterThanOrEqual(3);
  expect((await ask(`http://127.0.0.1:${httpPort}/healthz`)).status).toBe(200);
  await publisher.close();
  attack.end();
  await expect.poll(countOpen, { timeout: 10_000 }).toEqual(before);
}, 60_000);
