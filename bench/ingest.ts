import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import type { Measurement } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import type { BenchOptions } from './options.ts';
import { readCpuSeconds, readResidentMib } from './process-usage.ts';
import type { LoadQuestion, LoadReport } from './processes/load-generator.ts';

interface Usage {
  cpuPercent: number;
  residentMib: number;
  idleMib: number;
  /** Media that has come in since the start, in MiB. */
  mediaMib: number;
  keptUp: number;
}

/** CPU and memory of the service with publishers that are passed through, beside a process that only reads their bytes. */
export async function measureIngest(folder: string, options: BenchOptions): Promise<Measurement> {
  const file = await makeMediaFile(folder, { seconds: 20, gopSeconds: 2, bFrames: 2 });
  const rows: (string | number)[][] = [];
  let keptUp = 1;
  for (const count of options.publishers) {
    const service = await measureService(file, count, options);
    const limit = await measureBareReader(file, count, options);
    rows.push([
      ...[`${count}`, service.cpuPercent, service.cpuPercent / count, limit.cpuPercent / count],
      ...[service.residentMib, service.mediaMib, service.residentMib - service.mediaMib, service.idleMib],
    ]);
    keptUp = Math.min(keptUp, service.keptUp, limit.keptUp);
  }
  return {
    title: 'Ingest: 720p passthrough publishers of 2.5 Mbit/s with audio, in real time',
    columns: [
      { name: 'publishers', unit: '' },
      { name: 'CPU', unit: '% of a core' },
      { name: 'each', unit: '%' },
      { name: 'bare socket, each', unit: '%' },
      { name: 'resident', unit: 'MiB' },
      { name: 'of it media', unit: 'MiB' },
      { name: 'the rest', unit: 'MiB' },
      { name: 'before', unit: 'MiB' },
    ],
    rows,
    notes: [
      `Measured for ${options.measureSeconds} s after ${options.warmUpSeconds} s; resident memory is that of the end.`,
      'Media is what came in since the start. Segments are kept in memory for the live window (60 s) and as long again.',
      `The publishers sent at ${(keptUp * 100).toFixed(1)} % of real time at least.`,
    ],
  };
}

async function measureService(file: string, count: number, options: BenchOptions): Promise<Usage> {
  await using service = await startBenchHost();
  const streams = await Promise.all(Array.from({ length: count }, (_, index) => service.createStream(`bench ${index}`)));
  const streamKeys = streams.map(({ streamKey }) => streamKey);
  const { pid } = service.host;
  return await measure({ file, port: service.rtmpPort, to: { kind: 'rtmp', app: 'live', streamKeys } }, pid, options);
}

async function measureBareReader(file: string, count: number, options: BenchOptions): Promise<Usage> {
  await using reader = startChild('bare-reader');
  const { port } = await reader.ask<{ port: number }>({});
  return await measure({ file, port, to: { kind: 'bare-socket', count } }, reader.pid, options);
}

async function measure(load: LoadQuestion, pid: number, { warmUpSeconds, measureSeconds }: BenchOptions): Promise<Usage> {
  const idleMib = readResidentMib(pid);
  await using generator = startChild('load-generator');
  await generator.ask(load);
  await sleep(warmUpSeconds * 1000);
  const cpuBefore = readCpuSeconds(pid);
  const measuredFrom = performance.now();
  await sleep(measureSeconds * 1000);
  const cpuSeconds = readCpuSeconds(pid) - cpuBefore;
  const elapsedSeconds = (performance.now() - measuredFrom) / 1000;
  const residentMib = readResidentMib(pid);
  const { mediaBytes, keptUp } = await generator.ask<LoadReport>('report');
  return {
    cpuPercent: (cpuSeconds / elapsedSeconds) * 100,
    residentMib,
    idleMib,
    mediaMib: mediaBytes / 2 ** 20,
    keptUp,
  };
}
