import { setTimeout as sleep } from 'node:timers/promises';
import { defaultSettings } from '../src/service/config.ts';
import { startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import type { Measurement } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import { findMediaMtx } from './mediamtx.ts';
import { findNginxRtmp } from './nginx-rtmp.ts';
import type { BenchOptions } from './options.ts';
import { type OtherServer, startServer } from './other-server.ts';
import { readCpuSeconds, readResidentMib } from './process-usage.ts';
import type { LoadQuestion, LoadReport } from './processes/load-generator.ts';

/**
 * How long media is kept: the default live window, the time that a segment stays for players of the longest playlist that contained it
 * (rfc8216bis §6.2.2), and the segment in progress.
 */
const keptSeconds = 2 * defaultSettings.liveWindowSeconds + 4;

interface Usage {
  cpuPercent: number;
  residentMib: number;
  idleMib: number;
  /** Retained media, in MiB. */
  mediaMib: number;
  keptUp: number;
}

/**
 * CPU and memory of the service with passthrough publishers, compared with a process that only reads their bytes, and with MediaMTX and
 * nginx-rtmp if they are installed.
 */
export async function measureIngest(folder: string, options: BenchOptions): Promise<Measurement> {
  const file = await makeMediaFile(folder, { seconds: 20, gopSeconds: 2, bFrames: 2 });
  const rows: (string | number)[][] = [];
  let keptUp = 1;
  const others = [findMediaMtx(), findNginxRtmp()].filter((other) => other !== undefined);
  for (const count of options.publishers) {
    const service = await measureService(file, count, options);
    const limit = await measureBareReader(file, count, options);
    rows.push([
      ...[`${count}`, service.cpuPercent, service.cpuPercent / count, limit.cpuPercent / count],
      ...[service.residentMib, service.mediaMib, service.residentMib - service.mediaMib, service.idleMib],
    ]);
    keptUp = Math.min(keptUp, service.keptUp, limit.keptUp);
    for (const other of others) {
      const { cpuPercent, residentMib } = await measureOther(other, { folder, file, count }, options);
      rows.at(-1)?.push(cpuPercent / count, residentMib);
    }
  }
  return {
    title: 'Ingest: 720p passthrough publishers of 2.5 Mbit/s with audio, in real time',
    columns: [
      { name: 'publishers', unit: '' },
      { name: 'CPU', unit: '% of a core' },
      { name: 'each', unit: '%' },
      { name: 'bare socket, each', unit: '%' },
      { name: 'resident', unit: 'MiB' },
      { name: 'of that media', unit: 'MiB' },
      { name: 'the rest', unit: 'MiB' },
      { name: 'before', unit: 'MiB' },
      ...others.flatMap(({ name }) => [
        { name: `${name} with HLS, each`, unit: '%' },
        { name: 'resident', unit: 'MiB' },
      ]),
    ],
    rows,
    notes: [
      `Measured for ${options.measureSeconds} s after ${options.warmUpSeconds} s; resident memory is measured at the end.`,
      `Media is the last ${keptSeconds} s of input, or all if shorter: segments are kept as long again after they leave the playlist (--warm-up ${keptSeconds} fills it).`,
      `The publishers sent at no less than ${(keptUp * 100).toFixed(1)} % of real time.`,
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

async function measureOther(
  other: OtherServer,
  { folder, file, count }: { folder: string; file: string; count: number },
  options: BenchOptions,
): Promise<Usage> {
  await using server = await startServer(other, folder);
  const streamKeys = Array.from({ length: count }, (_, index) => `bench-${index}`);
  return await measure({ file, port: server.port, to: { kind: 'rtmp', app: 'live', streamKeys } }, server.pid, options);
}

async function measure(load: LoadQuestion, pid: number, { warmUpSeconds, measureSeconds }: BenchOptions): Promise<Usage> {
  const idleMib = readResidentMib(pid);
  await using generator = startChild('load-generator');
  await generator.ask(load);
  const startedAt = performance.now();
  await sleep(warmUpSeconds * 1000);
  const cpuBefore = readCpuSeconds(pid);
  const measuredFrom = performance.now();
  await sleep(measureSeconds * 1000);
  const cpuSeconds = readCpuSeconds(pid) - cpuBefore;
  const measuredSeconds = (performance.now() - measuredFrom) / 1000;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const residentMib = readResidentMib(pid);
  const { mediaBytes, keptUp } = await generator.ask<LoadReport>('report');
  return {
    cpuPercent: (cpuSeconds / measuredSeconds) * 100,
    residentMib,
    idleMib,
    mediaMib: (mediaBytes / 2 ** 20) * Math.min(1, keptSeconds / elapsedSeconds),
    keptUp,
  };
}
