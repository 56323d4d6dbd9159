import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { listInFolders, listOnPath } from '../lib/list-on-path.ts';
import { runToEnd } from '../lib/run-to-end.ts';
import { unpackedPath } from '../lib/unpacked-path.ts';
import { findFfmpegInstallCommand } from './ffmpeg-install-command.ts';
import { listUsualFolders } from './usual-folders.ts';

/** A working ffmpeg and how it was found, or why there is none. */
export type FfmpegSearch = ServiceInfo['ffmpeg'];

/** The places to look in: this process's environment and packages, except in tests. */
interface Places {
  env: Record<string, string | undefined>;
  findFfmpegStatic: () => string | undefined;
  platform: NodeJS.Platform;
  installCommand: string | undefined;
}

/** How long ffmpeg may take to print its version before it counts as broken. */
const versionTimeoutMs = 5_000;

/**
 * Finds a working ffmpeg: the one that `TALLYLIGHT_FFMPEG` names, the ffmpeg-static package's, the first one on PATH, or one where
 * it is usually installed.
 *
 * A `TALLYLIGHT_FFMPEG` that does not run is reported, not skipped: the user asked for it.
 */
export async function findFfmpeg(places: Partial<Places> = {}): Promise<FfmpegSearch> {
  const { env = process.env, findFfmpegStatic = findInstalledFfmpegStatic, platform = process.platform } = places;
  const asked = env.TALLYLIGHT_FFMPEG;
  if (asked) {
    const version = isAbsolute(asked) ? await findVersion(asked) : undefined;
    if (version !== undefined) return { kind: 'found', path: asked, version, from: 'TALLYLIGHT_FFMPEG' };
    return { kind: 'missing', reason: { code: 'unusable', path: asked } };
  }
  const inPackage = findFfmpegStatic();
  const bundled = inPackage && unpackedPath(inPackage);
  const bundledVersion = bundled && (await findVersion(bundled));
  if (bundled && bundledVersion) return { kind: 'found', path: bundled, version: bundledVersion, from: 'ffmpeg-static' };
  for (const { path, from } of listInstalled(platform, env)) {
    const version = await findVersion(path);
    if (version !== undefined) return { kind: 'found', path, version, from };
  }
  const installCommand = 'installCommand' in places ? places.installCommand : findFfmpegInstallCommand('full');
  return { kind: 'missing', reason: { code: 'not-found', ...(installCommand !== undefined && { installCommand }) } };
}

/**
 * The working ffmpegs besides the one that {@link findFfmpeg} takes, in the same order. Several paths of one file count once: `/bin` is
 * often a link to `/usr/bin`.
 */
export async function findOtherFfmpegs(
  usualPath: string,
  places: Partial<Pick<Places, 'env' | 'findFfmpegStatic' | 'platform'>> = {},
): Promise<{ path: string; version: string }[]> {
  const { env = process.env, findFfmpegStatic = findInstalledFfmpegStatic, platform = process.platform } = places;
  const bundled = findFfmpegStatic();
  const installed = listInstalled(platform, env).map(({ path }) => path);
  const seen = new Set([await realpath(usualPath)]);
  const found: { path: string; version: string }[] = [];
  for (const path of [...(bundled === undefined ? [] : [unpackedPath(bundled)]), ...installed]) {
    const file = await realpath(path).catch(() => path);
    if (seen.has(file)) continue;
    seen.add(file);
    const version = await findVersion(path);
    if (version !== undefined) found.push({ path, version });
  }
  return found;
}

/** The ffmpegs on PATH, then those where they are usually installed. */
function listInstalled(platform: NodeJS.Platform, env: Places['env']): { path: string; from: 'PATH' | 'usual-folder' }[] {
  const elsewhere = listInFolders('ffmpeg', listUsualFolders(platform, env));
  return [
    ...listOnPath('ffmpeg', env).map((path) => ({ path, from: 'PATH' as const })),
    ...elsewhere.map((path) => ({ path, from: 'usual-folder' as const })),
  ];
}

/** The version that ffmpeg prints (`ffmpeg version 7.1 Copyright …`); undefined if it does not run. */
async function findVersion(path: string): Promise<string | undefined> {
  const { error, stdout } = await runToEnd(path, ['-version'], { timeoutMs: versionTimeoutMs });
  return error === null ? /^ffmpeg version (\S+)/.exec(stdout.toString('utf8'))?.[1] : undefined;
}

/** The binary of the optional package ffmpeg-static; undefined if its download was refused. */
function findInstalledFfmpegStatic(): string | undefined {
  try {
    const path: unknown = createRequire(import.meta.url)('ffmpeg-static');
    return typeof path === 'string' && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
