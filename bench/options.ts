import { parseArgs } from 'node:util';

/** The available measurements, in order of execution. */
export const measurementNames = [
  'ingest',
  'http',
  'first-segment',
  'first-frame',
  'glass',
  'viewers',
  'part-length',
  'ladder',
  'screen',
  'encoder-swap',
  'drift',
  'start',
] as const;
/** All measurements except the one that takes half an hour. */
const usual = measurementNames.filter((name) => name !== 'drift');
export type MeasurementName = (typeof measurementNames)[number];

/** The options of `npm run bench`. */
export interface BenchOptions {
  only: readonly MeasurementName[];
  /** Also write the JSON to this file. */
  jsonFile: string | undefined;
  /** Numbers of concurrent publishers; one measurement each. */
  publishers: readonly number[];
  /** How long publishers run before the measurement, and how long the measurement takes, also for viewers. */
  warmUpSeconds: number;
  measureSeconds: number;
  /** How long each player is watched. */
  watchSeconds: number;
  /** How long the drift of sound and picture is observed. */
  driftMinutes: number;
}

/** Parses the arguments of `npm run bench`. @throws {Error} with a sentence that names the option */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: usual.join(',') },
      json: { type: 'string' },
      publishers: { type: 'string', default: '1,10,50' },
      'warm-up': { type: 'string', default: '10' },
      seconds: { type: 'string', default: '15' },
      watch: { type: 'string', default: '60' },
      minutes: { type: 'string', default: '30' },
    },
  });
  return {
    only: values.only.split(',').map(parseMeasurementName),
    jsonFile: values.json,
    publishers: values.publishers.split(',').map((text) => parsePositive('publishers', text)),
    warmUpSeconds: parsePositive('warm-up', values['warm-up']),
    measureSeconds: parsePositive('seconds', values.seconds),
    watchSeconds: parsePositive('watch', values.watch),
    driftMinutes: parsePositive('minutes', values.minutes),
  };
}

function parseMeasurementName(text: string): MeasurementName {
  const name = measurementNames.find((known) => known === text);
  if (name === undefined) throw new Error(`--only accepts ${measurementNames.join(', ')}, not "${text}".`);
  return name;
}

function parsePositive(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${option} accepts integers from 1, not "${text}".`);
  return number;
}
