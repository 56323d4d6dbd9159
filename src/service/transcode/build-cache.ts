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
  /** Asks again, whatever is cached. */
  afresh?: boolean;
  /** Asks ffmpeg. `keep` is false if asking again may give another answer. */
  ask: () => Promise<{ found: Found; keep: boolean }>;
}

/**
 * Asks ffmpeg something once per build. The answer is kept in the data folder, and holds while ffmpeg's path, version and
 * modification time stay the same.
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
