import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { findDeviceFfmpegs } from '../../src/service/one-click/device-ffmpegs.ts';
import { probeFilters } from '../../src/service/one-click/encode-tools.ts';
import { openBuildCache } from '../../src/service/transcode/build-cache.ts';
import { probeDecoders } from '../../src/service/transcode/decoder-probe.ts';
import { probeEncoders } from '../../src/service/transcode/encoder-probe.ts';
import { EncoderTrial } from '../../src/shared/model/encoder.ts';
import { getFfmpeg } from './get-ffmpeg.ts';

/** The ffmpeg of the whole run: tests change the variable, and a worker's first service may start meanwhile. */
const asked = process.env.TALLYLIGHT_FFMPEG;
let probed: Promise<string | undefined> | undefined;

/**
 * Puts the results of probing this computer's ffmpeg into a new data folder, as if a service had run there before, since probing starts
 * ffmpeg ten times. Probes once per run. A host that is set to use another ffmpeg probes that one itself.
 */
export async function copyProbes(dataFolder: string): Promise<void> {
  probed ??= probe();
  const from = await probed;
  if (from === undefined) return;
  // Another worker may be writing one at this moment, under another name.
  const found = (await readdir(from)).filter((name) => name.endsWith('.json'));
  for (const name of found) await copyFile(join(from, name), join(dataFolder, name));
}

/** Whether no service has run there yet: the folder exists and is empty. */
export function isEmptyFolder(path: string): boolean {
  return existsSync(path) && readdirSync(path).length === 0;
}

/** The folder with the results, in the run's temporary folder; undefined without an ffmpeg. */
async function probe(): Promise<string | undefined> {
  const ffmpeg = await getFfmpeg({ asked }).catch(() => undefined);
  if (ffmpeg === undefined) return undefined;
  const dataFolder = join(tmpdir(), 'probed-ffmpeg');
  await mkdir(dataFolder, { recursive: true });
  await probeFilters({ ffmpeg, dataFolder });
  await findDeviceFfmpegs({ usual: ffmpeg, dataFolder });
  await probeDecoders({ ffmpeg, dataFolder });
  const trials = await probeEncoders({ ffmpeg, dataFolder });
  await dropFailedHardware({ ffmpeg, dataFolder, trials });
  return dataFolder;
}

/**
 * Remembers hardware encoders that don't work here as if this ffmpeg lacked them: otherwise each service tries them again, which takes a
 * third of the processor time of its start.
 */
async function dropFailedHardware({
  ffmpeg,
  dataFolder,
  trials,
}: {
  ffmpeg: { path: string; version: string };
  dataFolder: string;
  trials: readonly EncoderTrial[];
}): Promise<void> {
  const cache = await openBuildCache({ name: 'encoders.json', dataFolder, ffmpeg, found: z.array(EncoderTrial) });
  const drop = (trial: EncoderTrial): EncoderTrial =>
    trial.works || trial.encoder === 'libx264' ? trial : { ...trial, fault: { code: 'not-built-in' } };
  await cache.keep(trials.map(drop));
}
