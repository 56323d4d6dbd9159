import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { listenOnLoopback } from './loopback-server.ts';

const folder = join(import.meta.dirname, '../fixtures/rtmps');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** The authority that signed the certificates of test/fixtures/rtmps. */
export const testAuthority = read('authority.pem');

/** `ingest` is for localhost and its addresses, `elsewhere` for another name, `expired` for localhost until 2021. */
export type TestCertificate = 'ingest' | 'elsewhere' | 'expired';

/** A TLS server that passes on what it gets to a port of this computer, as a proxy in front of an RTMP ingest does. */
export async function startTlsFront(targetPort: number, certificate: TestCertificate = 'ingest') {
  const sockets = new Set<Socket>();
  /** The name that each client asked for by SNI. */
  const names: (string | false | null)[] = [];
  const server = createServer(
    { cert: read(`${certificate}.pem`), key: read(`${certificate}.key`), noDelay: true, allowHalfOpen: true },
    (client) => {
      const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
      names.push(client.servername);
      sockets.add(target);
      for (const socket of [client, target]) socket.on('error', () => {});
      client.pipe(target);
      target.pipe(client);
      client.on('close', () => target.destroy());
      target.on('close', () => client.destroy());
    },
  );
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.on('tlsClientError', () => {});
  return { names, ...(await listenOnLoopback(server, sockets)) };
}
