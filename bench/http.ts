import { setTimeout as sleep } from 'node:timers/promises';
import { findSegment, startBenchHost } from './bench-host.ts';
import { type Child, startChild } from './child.ts';
import { type Measurement, median } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import { readCpuSeconds } from './process-usage.ts';
import type { HttpLoadAnswer, HttpLoadQuestion } from './processes/http-load.ts';
import type { LoadQuestion } from './processes/load-generator.ts';

const rounds = 7;
const secondsPerRound = 1.5;
const connections = 8;

type Request = Pick<HttpLoadQuestion, 'method' | 'path' | 'headers' | 'body' | 'status'>;

/** Requests per second for a stream on air, compared in turns with Fastify and empty handlers. */
export async function measureHttp(folder: string): Promise<Measurement> {
  const file = await makeMediaFile(folder, { seconds: 20, gopSeconds: 2, bFrames: 2 });
  await using service = await startBenchHost();
  const { ready } = service.host;
  const { id, streamKey, playbackId } = await service.createStream('bench');
  await using publisher = startChild('load-generator');
  const to: LoadQuestion['to'] = { kind: 'rtmp', app: 'live', streamKeys: [streamKey] };
  await publisher.ask({ file, port: service.rtmpPort, to } satisfies LoadQuestion);
  let segment = await findSegment(ready, playbackId, 'newest');
  while (segment === undefined) {
    await sleep(100);
    segment = await findSegment(ready, playbackId, 'newest');
  }
  const segmentBytes = (await (await fetch(segment.media)).arrayBuffer()).byteLength;

  await using empty = startChild('empty-server');
  const { port: emptyPort } = await empty.ask<{ port: number }>({ segmentBytes });
  await using client = startChild('http-load');
  const servers = {
    service: { port: Number(new URL(ready.apiBaseUrl).port), pid: service.host.pid },
    empty: { port: emptyPort, pid: empty.pid },
  };
  const headers = { Authorization: `Bearer ${service.apiKey}` };
  const json = { ...headers, 'Content-Type': 'application/json' };
  const requests: [string, Request, { emptyStatus: number }][] = [
    [
      'media segment',
      { method: 'GET', path: new URL(segment.media).pathname, headers: {}, body: '', status: 200 },
      { emptyStatus: 200 },
    ],
    ['GET /stream/{id}', { method: 'GET', path: `/api/stream/${id}`, headers, body: '', status: 200 }, { emptyStatus: 200 }],
    [
      'POST /stream',
      { method: 'POST', path: '/api/stream', headers: json, body: '{"name":"bench"}', status: 201 },
      { emptyStatus: 200 },
    ],
  ];
  const rows: (string | number)[][] = [];
  for (const [name, request, { emptyStatus }] of requests) {
    rows.push([name, ...(await compare(client, servers, request, emptyStatus))]);
  }
  return {
    title: 'HTTP: requests per second, beside Fastify with an empty handler',
    columns: [
      { name: 'request', unit: '' },
      { name: 'Tallylight', unit: '1/s' },
      { name: 'empty handler', unit: '1/s' },
      { name: 'share of that', unit: '%' },
      { name: 'CPU a request', unit: 'µs' },
      { name: 'empty', unit: 'µs' },
      { name: 'busiest client', unit: '% of a core' },
    ],
    rows,
    notes: [
      `Medians of ${rounds} rounds of ${secondsPerRound} s in turns, ${connections} connections; the segment has ${segmentBytes} bytes.`,
      'The stream is on air during the test. The empty handler for a segment sends as many bytes; the others send none.',
      'Each POST is on disk when it is answered.',
    ],
  };
}

interface Server {
  port: number;
  pid: number;
}

interface Round extends HttpLoadAnswer {
  /** CPU time that the server used per request, in microseconds; hardly affected by other load on the machine. */
  serverCpuUs: number;
}

/** Both rates, the first as a percentage of the second, both costs, and the client's highest CPU use. */
async function compare(
  client: Child,
  servers: { service: Server; empty: Server },
  request: Request,
  emptyStatus: number,
): Promise<number[]> {
  const found: Record<'service' | 'empty', Round[]> = { service: [], empty: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const service = await runRound(client, servers.service, request);
    const empty = await runRound(client, servers.empty, { ...request, status: emptyStatus });
    // The first round is a warm-up for both.
    if (round === 0) continue;
    found.service.push(service);
    found.empty.push(empty);
  }
  const middle = (answers: readonly Round[], name: keyof Round) => median(answers.map((answer) => answer[name]));
  const ratios = found.service.map(
    ({ requestsPerSecond }, round) => requestsPerSecond / (found.empty[round]?.requestsPerSecond ?? 1),
  );
  return [
    middle(found.service, 'requestsPerSecond'),
    middle(found.empty, 'requestsPerSecond'),
    median(ratios) * 100,
    middle(found.service, 'serverCpuUs'),
    middle(found.empty, 'serverCpuUs'),
    Math.max(...[...found.service, ...found.empty].map(({ cpuPercent }) => cpuPercent)),
  ];
}

async function runRound(client: Child, { port, pid }: Server, request: Request): Promise<Round> {
  const before = readCpuSeconds(pid);
  const answer = await client.ask<HttpLoadAnswer>({ ...request, port, connections, seconds: secondsPerRound });
  const cpuSeconds = readCpuSeconds(pid) - before;
  return { ...answer, serverCpuUs: (cpuSeconds * 1e6) / (answer.requestsPerSecond * secondsPerRound) };
}
