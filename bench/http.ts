import { setTimeout as sleep } from 'node:timers/promises';
import { findSegment, startBenchHost } from './bench-host.ts';
import { type Child, startChild } from './child.ts';
import { type Measurement, median } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import type { HttpLoadAnswer, HttpLoadQuestion } from './processes/http-load.ts';
import type { LoadQuestion } from './processes/load-generator.ts';

const rounds = 7;
const secondsPerRound = 1.5;
const connections = 8;

type Request = Pick<HttpLoadQuestion, 'method' | 'path' | 'headers' | 'body' | 'status'>;

/** Requests per second of a stream that is on air, beside Fastify with empty handlers, in turns. */
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
  const ports = { service: Number(new URL(ready.apiBaseUrl).port), empty: emptyPort };
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
    rows.push([name, ...(await compare(client, ports, request, emptyStatus))]);
  }
  return {
    title: 'HTTP: requests per second, beside Fastify with an empty handler',
    columns: [
      { name: 'request', unit: '' },
      { name: 'Tallylight', unit: '1/s' },
      { name: 'empty handler', unit: '1/s' },
      { name: 'part of it', unit: '%' },
      { name: 'busiest client', unit: '% of a core' },
    ],
    rows,
    notes: [
      `Medians of ${rounds} rounds of ${secondsPerRound} s in turns, ${connections} connections; the segment has ${segmentBytes} bytes.`,
      'The stream is on air meanwhile. The empty handler of a segment sends as many bytes; the others send none.',
      'Each POST is on disk when it is answered.',
    ],
  };
}

/** Both rates, the first as a part of the second, and how busy the client was at most. */
async function compare(
  client: Child,
  ports: { service: number; empty: number },
  request: Request,
  emptyStatus: number,
): Promise<number[]> {
  const load = { ...request, connections, seconds: secondsPerRound };
  const found: Record<'service' | 'empty', HttpLoadAnswer[]> = { service: [], empty: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const service = await client.ask<HttpLoadAnswer>({ ...load, port: ports.service });
    const empty = await client.ask<HttpLoadAnswer>({ ...load, port: ports.empty, status: emptyStatus });
    // The first round warms both up.
    if (round === 0) continue;
    found.service.push(service);
    found.empty.push(empty);
  }
  const rate = (answers: readonly HttpLoadAnswer[]) => median(answers.map(({ requestsPerSecond }) => requestsPerSecond));
  const ratios = found.service.map(
    ({ requestsPerSecond }, round) => requestsPerSecond / (found.empty[round]?.requestsPerSecond ?? 1),
  );
  const busiest = Math.max(...[...found.service, ...found.empty].map(({ cpuPercent }) => cpuPercent));
  return [rate(found.service), rate(found.empty), median(ratios) * 100, busiest];
}
