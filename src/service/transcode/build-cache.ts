import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** A build of ffmpeg that something is true of. */
const Build = z.strictObject({ path: z.string(), version: z.string(), modifiedAtMs: z.number() });
type Build = z.infer<typeof Build>;

export interface BuildCacheOptions<Found> {
  /** Of the file in the data folder. */
  name: string;
  dataFolder: string;
  ffmpeg: { path: string; version: string };
  found: z.ZodType<Found>;
  /** Asks again what an earlier run asked the same ffmpeg. */
  afresh?: boolean;
  /** Finds it out; `keep` is false where another run may find something else. */
  ask: () => Promise<{ found: Found; keep: boolean }>;
}

/**
 * What is asked of ffmpeg once per build: it is kept in the data folder, and true for as long as ffmpeg's path, version and time of
 * modification are the same.
 */
export async function askOncePerBuild<Found>(options: BuildCacheOptions<Found>): Promise<Found> {
  const { name, dataFolder, ffmpeg, afresh = false } = options;
  const { path: ffmpegPath, version } = ffmpeg;
  const path = join(dataFolder, name);
  const build: Build = { path: ffmpegPath, version, modifiedAtMs: (await stat(ffmpegPath)).mtimeMs };
  const Cache = z.strictObject({ build: Build, found: options.found });
  const cached = afresh ? undefined : await readCache(path, Cache);
  if (cached !== undefined && isSameBuild(cached.build, build)) return cached.found;
  const { found, keep } = await options.ask();
  if (keep) await writeCache(path, { build, found });
  return found;
}

function isSameBuild(one: Build, other: Build): boolean {
  return one.path === other.path && one.version === other.version && one.modifiedAtMs === other.modifiedAtMs;
}

/** Undefined for a cache that is not there or not readable: it is made anew. */
async function readCache<Cache>(path: string, schema: z.ZodType<Cache>): Promise<Cache | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be kept costs a probe at the next start, and nothing else. */
async function writeCache(path: string, cache: unknown): Promise<void> {
  try {
    await writeFile(`${path}.new`, JSON.stringify(cache), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {}
}
