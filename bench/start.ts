import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startHost } from './bench-host.ts';
import { type Measurement, median } from './measurement.ts';
import { readCpuSeconds } from './process-usage.ts';

const rounds = 10;

interface Start {
  elapsedMs: number;
  /** CPU time that the process had used when it was ready. */
  cpuMs: number;
}

/** Time from starting the headless host's process to its ready line, with a new and with an existing data folder. */
export async function measureStart(folder: string): Promise<Measurement> {
  const fresh: Start[] = [];
  const known: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const dataFolder = await mkdtemp(join(folder, 'start-'));
    try {
      fresh.push(await timeStart(dataFolder));
      known.push(await timeStart(dataFolder));
    } finally {
      await rm(dataFolder, { recursive: true });
    }
  }
  const row = (name: string, starts: readonly Start[]) => {
    const times = starts.map(({ elapsedMs }) => elapsedMs);
    return [name, median(times), Math.min(...times), Math.max(...times), median(starts.map(({ cpuMs }) => cpuMs))];
  };
  return {
    title: 'Start-up of the headless host, from its process to the ready line',
    columns: [
      { name: 'data folder', unit: '' },
      { name: 'median', unit: 'ms' },
      { name: 'least', unit: 'ms' },
      { name: 'most', unit: 'ms' },
      { name: 'CPU', unit: 'ms' },
    ],
    rows: [row('fresh', fresh), row('second start', known)],
    notes: [`${rounds} starts each, secrets in memory.`],
  };
}

async function timeStart(dataFolder: string): Promise<Start> {
  const from = performance.now();
  await using host = await startHost({ dataFolder });
  const elapsedMs = performance.now() - from;
  return { elapsedMs, cpuMs: readCpuSeconds(host.pid) * 1000 };
}
