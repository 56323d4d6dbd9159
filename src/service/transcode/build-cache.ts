import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** A build of ffmpeg. */
const Build = z.strictObject({ path: z.string(), version: z.string(), modifiedAtMs: z.number() });
type Build = z.infer<typeof Build>;

export interface BuildCacheOptions<Found> {
  /** The file's name in the data folder. */
  name: string;
  dataFolder: string;
  ffmpeg: { path: string; version: string };
  found: z.ZodType<Found>;
}

/** The kept answers of a build of ffmpeg. */
export interface BuildCache<Found> {
  /** Undefined if nothing was kept of this build. */
  readonly known: Found | undefined;
  keep(found: Found): Promise<void>;
}

/** Opens the data folder's cache for a build. It is valid while ffmpeg's path, version and modification time stay the same. */
export async function openBuildCache<Found>(options: BuildCacheOptions<Found>): Promise<BuildCache<Found>> {
  const { name, dataFolder, ffmpeg } = options;
  const path = join(dataFolder, name);
  const build: Build = { path: ffmpeg.path, version: ffmpeg.version, modifiedAtMs: (await stat(ffmpeg.path)).mtimeMs };
  const cached = await readCache(path, z.strictObject({ build: Build, found: options.found }));
  return {
    known: cached !== undefined && isSameBuild(cached.build, build) ? cached.found : undefined,
    keep: (found) => writeCache(path, { build, found }),
  };
}

/**
 * Asks ffmpeg something once per build, and keeps the answer in the data folder.
 *
 * @param options.ask `keep` is false if asking again may give another answer
 */
export async function askOncePerBuild<Found>(
  options: BuildCacheOptions<Found> & { ask: () => Promise<{ found: Found; keep: boolean }> },
): Promise<Found> {
  const cache = await openBuildCache(options);
  if (cache.known !== undefined) return cache.known;
  const { found, keep } = await options.ask();
  if (keep) await cache.keep(found);
  return found;
}

function isSameBuild(one: Build, other: Build): boolean {
  return one.path === other.path && one.version === other.version && one.modifiedAtMs === other.modifiedAtMs;
}

/** Undefined if there is no cache or it cannot be read: ffmpeg is asked again. */
async function readCache<Cache>(path: string, schema: z.ZodType<Cache>): Promise<Cache | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs only a probe at the next start. */
async function writeCache(path: string, cache: unknown): Promise<void> {
  try {
    await writeFile(`${path}.new`, JSON.stringify(cache), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {}
}
