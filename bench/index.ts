import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { exitWithReason } from '../src/tools/exit-with-reason.ts';
import { closeHosts } from './bench-host.ts';
import { measureDrift } from './drift.ts';
import { measureEncoderSwap } from './encoder-swap.ts';
import { measureFirstFrame } from './first-frame.ts';
import { measureFirstSegment } from './first-segment.ts';
import { measureGlass } from './glass.ts';
import { measureHttp } from './http.ts';
import { measureIngest } from './ingest.ts';
import { measureLadder } from './ladder.ts';
import { formatMeasurement, type Measurement } from './measurement.ts';
import { type BenchOptions, type MeasurementName, measurementNames, parseBenchOptions } from './options.ts';
import { measurePartLength } from './part-length.ts';
import { measureScreen } from './screen.ts';
import { measureStart } from './start.ts';
import { measureViewers } from './viewers.ts';

const options = readOptions();
const folder = await mkdtemp(join(tmpdir(), 'tallylight-bench-'));
const measure: Record<MeasurementName, () => Promise<Measurement>> = {
  ingest: () => measureIngest(folder, options),
  http: () => measureHttp(folder),
  'first-segment': () => measureFirstSegment(folder),
  'first-frame': () => measureFirstFrame(folder),
  glass: () => measureGlass(folder, options),
  viewers: () => measureViewers(folder, options),
  'part-length': () => measurePartLength(folder, options),
  ladder: () => measureLadder(folder),
  screen: () => measureScreen(options),
  'encoder-swap': () => measureEncoderSwap(),
  drift: () => measureDrift({ minutes: options.driftMinutes }),
  start: () => measureStart(folder),
};

const machine = {
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryMib: Math.round(totalmem() / 2 ** 20),
  system: `${process.platform} ${release()}`,
  node: process.version,
};
// End everything that was started; other processes end when their parent disconnects.
const breakOff = async () => {
  await closeHosts();
  await rm(folder, { recursive: true, force: true });
  process.exit(130);
};
process.once('SIGINT', breakOff).once('SIGTERM', breakOff);

const measurements: Record<string, Measurement & { loadAverage: number[] }> = {};
try {
  console.log(`${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}`);
  for (const name of measurementNames.filter((known) => options.only.includes(known))) {
    const measurement = { ...(await measure[name]()), loadAverage: loadavg() };
    measurements[name] = measurement;
    const load = measurement.loadAverage.map((value) => value.toFixed(1)).join(' ');
    console.log(`${formatMeasurement(measurement)}\n  Load average of the machine: ${load}.`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const json = JSON.stringify({ at: new Date().toISOString(), machine, measurements }, null, 2);
if (options.jsonFile !== undefined) await writeFile(options.jsonFile, `${json}\n`);
console.log(`\n${json}`);

function readOptions(): BenchOptions {
  try {
    return parseBenchOptions(process.argv.slice(2));
  } catch (error) {
    return exitWithReason(error);
  }
}
