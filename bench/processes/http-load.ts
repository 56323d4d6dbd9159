import { once } from 'node:events';
import { connect } from 'node:net';
import { answerParent } from './answer.ts';

/** One request, sent again after each response, over this many connections. */
export interface HttpLoadQuestion {
  port: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  seconds: number;
  status: number;
}

export interface HttpLoadAnswer {
  requestsPerSecond: number;
  /** CPU use of this process; near 100, this process was the bottleneck, not the server. */
  cpuPercent: number;
}

answerParent(async ({ port, connections, seconds, status, ...request }: HttpLoadQuestion): Promise<HttpLoadAnswer> => {
  const bytes = formatRequest(port, request);
  const before = process.cpuUsage();
  const from = performance.now();
  const until = from + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: connections }, () => runConnection(port, bytes, { until, status })));
  const elapsedMs = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  return {
    requestsPerSecond: counts.reduce((sum, count) => sum + count, 0) / (elapsedMs / 1000),
    cpuPercent: (user + system) / 10 / elapsedMs,
  };
});

function formatRequest(
  port: number,
  { method, path, headers, body }: Pick<HttpLoadQuestion, 'method' | 'path' | 'headers' | 'body'>,
) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends the next request when the previous response is complete; returns the number of responses. */
async function runConnection(port: number, request: Buffer, { until, status }: { until: number; status: number }) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  const answers = Promise.withResolvers<number>();
  const expected = `HTTP/1.1 ${status} `;
  let answered = 0;
  let head = '';
  let bodyBytesLeft = 0;
  socket.on('error', answers.reject);
  socket.on('close', () => answers.reject(new Error('The server closed the connection.')));
  socket.on('data', (bytes: Buffer) => {
    let at = 0;
    if (bodyBytesLeft === 0) {
      const before = head.length;
      head += bytes.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      if (!head.startsWith(expected)) return answers.reject(new Error(`The server answered ${head.slice(0, 40)}.`));
      bodyBytesLeft = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      at = end + 4 - before;
      head = '';
    }
    bodyBytesLeft -= bytes.length - at;
    if (bodyBytesLeft > 0) return;
    answered += 1;
    if (performance.now() < until) socket.write(request);
    else answers.resolve(answered);
  });
  socket.write(request);
  try {
    return await answers.promise;
  } finally {
    socket.destroy();
  }
}
