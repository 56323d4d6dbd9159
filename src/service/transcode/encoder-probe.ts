import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type EncoderChoice, type EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import { type TriedEncoder, tryEncoder } from './encoder-trial.ts';

const cacheFileName = 'encoders.json';
/** How long an encoder may take for its first frames before it counts as broken. */
const trialTimeoutMs = 3_000;

/** The order in which `automatic` prefers them: hardware leaves the processor to the rest of the broadcast. */
const preferred: readonly EncoderName[] = ['h264_nvenc', 'h264_videotoolbox', 'h264_qsv', 'h264_amf', 'h264_vaapi', 'libx264'];

/** Encoders that no other platform has. */
const platformOf: Partial<Record<EncoderName, NodeJS.Platform>> = { h264_videotoolbox: 'darwin', h264_vaapi: 'linux' };
/** Apple's computers have no other hardware encoder. */
const isCandidate = (encoder: EncoderName, platform: NodeJS.Platform) =>
  (platformOf[encoder] ?? platform) === platform &&
  (platform !== 'darwin' || encoder === 'h264_videotoolbox' || encoder === 'libx264');

/** The build of ffmpeg that a cached result is true of. */
const Build = z.strictObject({ path: z.string(), version: z.string(), modifiedAtMs: z.number() });
const Cache = z.strictObject({ build: Build, trials: z.array(EncoderTrial) });

export interface EncoderProbeOptions {
  ffmpeg: { path: string; version: string };
  dataFolder: string;
  /** Tries again what an earlier probe of the same ffmpeg found. */
  afresh?: boolean;
  platform?: NodeJS.Platform;
  timeoutMs?: number;
  /** Ends the ffmpeg that tries an encoder at once. */
  signal?: AbortSignal;
}

/**
 * Which encoders work on this computer, in the order of preference. What was found is kept in the data folder, and true for as
 * long as ffmpeg's path, version and time of modification are the same; what ran out of time is tried again at the next probe.
 *
 * @throws the signal's reason when it aborts
 */
export async function probeEncoders(options: EncoderProbeOptions): Promise<EncoderTrial[]> {
  const { ffmpeg, dataFolder, afresh = false, platform = process.platform, timeoutMs = trialTimeoutMs } = options;
  const { signal } = options;
  const path = join(dataFolder, cacheFileName);
  const build = { ...ffmpeg, modifiedAtMs: (await stat(ffmpeg.path)).mtimeMs };
  const cached = afresh ? undefined : await readCache(path);
  if (cached !== undefined && isSameBuild(cached.build, build)) return cached.trials;
  const tried: TriedEncoder[] = [];
  // One after the other: some hardware has room for few encoders at a time.
  for (const encoder of preferred.filter((encoder) => isCandidate(encoder, platform))) {
    signal?.throwIfAborted();
    tried.push(await tryEncoder(ffmpeg.path, encoder, { timeoutMs, signal }));
  }
  signal?.throwIfAborted();
  const trials = tried.map(({ trial }) => trial);
  if (!tried.some(({ late }) => late)) await writeCache(path, { build, trials });
  return trials;
}

/** The encoder to use; a choice that does not work here falls back to one that does. Undefined: none works. */
export function chooseEncoder(choice: EncoderChoice, trials: readonly EncoderTrial[]): EncoderName | undefined {
  const working = trials.filter(({ works }) => works).map(({ encoder }) => encoder);
  if (choice === 'automatic') return working[0];
  if (working.includes(choice)) return choice;
  return working.includes('libx264') ? 'libx264' : working[0];
}

function isSameBuild(one: z.infer<typeof Build>, other: z.infer<typeof Build>): boolean {
  return one.path === other.path && one.version === other.version && one.modifiedAtMs === other.modifiedAtMs;
}

/** Undefined for a cache that is not there or not readable: it is made anew. */
async function readCache(path: string): Promise<z.infer<typeof Cache> | undefined> {
  try {
    return Cache.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be kept costs a probe at the next start, and nothing else. */
async function writeCache(path: string, cache: z.infer<typeof Cache>): Promise<void> {
  try {
    await writeFile(`${path}.new`, JSON.stringify(cache), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {}
}
