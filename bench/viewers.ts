import { setTimeout as sleep } from 'node:timers/promises';
import { findSegment, startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import { describeLoad, type Measurement, percentile } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import { readCpuSeconds } from './process-usage.ts';
import type { LoadQuestion, LoadReport } from './processes/load-generator.ts';
import type { ViewersQuestion, ViewersReport } from './processes/viewers.ts';

const warmUpSeconds = 5;
const counts: readonly [number, string][] = [
  [50, '25'],
  [200, '50'],
  [500, ''],
];

/** Many low-latency viewers of one stream: their delays, and their cost. */
export async function measureViewers(folder: string, { measureSeconds }: { measureSeconds: number }): Promise<Measurement> {
  const file = await makeMediaFile(folder, { seconds: 20, gopSeconds: 1, bFrames: 0 });
  const rows: (string | number)[][] = [];
  for (const [count, aim] of counts) {
    const viewers = await measureViewerCount(file, { count, measureSeconds });
    rows.push([
      ...[String(count), String(viewers.errors), viewers.partsPerSecond],
      ...[viewers.playlistP50Ms, viewers.playlistP99Ms, viewers.partP99Ms],
      ...[viewers.servicePercent, viewers.viewerPercent, viewers.generatorPercent, describeLoad(), aim],
    ]);
  }
  return {
    title: 'Low-latency viewers of one stream of 2.5 Mbit/s, parts of 200 ms, on loopback',
    columns: [
      { name: 'viewers', unit: '' },
      { name: 'errors', unit: '' },
      { name: 'parts a viewer', unit: '1/s' },
      { name: 'playlist p50', unit: 'ms' },
      { name: 'p99', unit: 'ms' },
      { name: 'part fetched p99', unit: 'ms' },
      { name: 'service', unit: '% of a core' },
      { name: 'a viewer', unit: '% of a core' },
      { name: 'generator', unit: '% of a core' },
      { name: 'load', unit: '' },
      { name: 'aim of p99', unit: 'ms' },
    ],
    rows,
    notes: [
      `${measureSeconds} s each. A viewer uses blocking playlist reloads with delta updates, and fetches every part once, on two connections.`,
      'Times count from sending the last frame of the part, the earliest time at which the part can exist.',
      'The CPU per viewer is the service’s use beyond that without viewers.',
    ],
  };
}

/** The delays and the cost of one stream's viewers. Percentages are of one core. */
export interface ViewerFigures {
  errors: number;
  /** For each viewer, which loads a playlist for each part. */
  partsPerSecond: number;
  playlistP50Ms: number;
  playlistP99Ms: number;
  partP99Ms: number;
  servicePercent: number;
  viewerPercent: number;
  generatorPercent: number;
}

export async function measureViewerCount(
  file: string,
  { count, measureSeconds, partMs }: { count: number; measureSeconds: number; partMs?: number },
): Promise<ViewerFigures> {
  await using service = await startBenchHost({ partMs });
  const { streamKey, playbackId } = await service.createStream('viewers');
  await using publisher = startChild('load-generator');
  const to: LoadQuestion['to'] = { kind: 'rtmp', app: 'live', streamKeys: [streamKey] };
  await publisher.ask({ file, port: service.rtmpPort, to } satisfies LoadQuestion);
  while ((await findSegment(service.host.ready, playbackId, 'newest')) === undefined) await sleep(100);
  const alone = await measureCpu(service.host.pid, () => sleep(5_000));
  await using viewers = startChild('viewers');
  const path = `${new URL(service.host.ready.playbackBaseUrl).pathname}/${playbackId}/source/`;
  const port = Number(new URL(service.host.ready.playbackBaseUrl).port);
  await viewers.ask({ port, path, count } satisfies ViewersQuestion);
  await sleep(warmUpSeconds * 1000);
  await viewers.ask('reset');
  const withViewers = await measureCpu(service.host.pid, () => sleep(measureSeconds * 1000));
  const report = await viewers.ask<ViewersReport>('report');
  const { videoSent } = await publisher.ask<LoadReport>('report');
  const getBirth = (endMs: number) => {
    const sent = videoSent.find(([timestampMs]) => timestampMs >= endMs - 1);
    if (sent === undefined) throw new Error(`A part ends at ${endMs} ms, and no frame was sent then.`);
    return sent[1];
  };
  const delays = (answers: ViewersReport['playlists']) => answers.map(([endMs, at]) => at - getBirth(endMs));
  const playlists = delays(report.playlists);
  for (const error of new Set(report.errors)) console.error(`${count} viewers: ${error}`);
  return {
    errors: report.errors.length,
    partsPerSecond: report.parts.length / count / measureSeconds,
    playlistP50Ms: percentile(playlists, 50),
    playlistP99Ms: percentile(playlists, 99),
    partP99Ms: percentile(delays(report.parts), 99),
    servicePercent: withViewers * 100,
    viewerPercent: ((withViewers - alone) / count) * 100,
    generatorPercent: report.cpuPercent,
  };
}

/** CPU use of a process during `meanwhile`, as a share of a core. */
async function measureCpu(pid: number, meanwhile: () => Promise<unknown>): Promise<number> {
  const before = readCpuSeconds(pid);
  const from = performance.now();
  await meanwhile();
  return (readCpuSeconds(pid) - before) / ((performance.now() - from) / 1000);
}
