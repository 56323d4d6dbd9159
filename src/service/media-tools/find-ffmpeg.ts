import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import type { MissingFfmpeg } from '../../shared/model/missing-ffmpeg.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { listInFolders, listOnPath } from '../lib/list-on-path.ts';
import { runToEnd, wasKilled } from '../lib/run-to-end.ts';
import { unpackedPath } from '../lib/unpacked-path.ts';
import { findFfmpegInstallCommand } from './ffmpeg-install-command.ts';
import { findShortage } from './shortage.ts';
import { listUsualFolders } from './usual-folders.ts';

/** A working ffmpeg and how it was found, or why there is none. */
export type FfmpegSearch = ServiceInfo['ffmpeg'];

/** The places to look in: this process's environment and packages, except in tests. */
interface Places {
  env: Record<string, string | undefined>;
  findFfmpegStatic: () => string | undefined;
  platform: NodeJS.Platform;
  installCommand: string | undefined;
  /** How long an ffmpeg may take to print its version. */
  answerWithinMs: number;
}

const defaultAnswerWithinMs = 5_000;

/**
 * Finds a working ffmpeg: the one that `TALLYLIGHT_FFMPEG` names, the ffmpeg-static package's, the first one on PATH, or one where
 * it is usually installed.
 *
 * A `TALLYLIGHT_FFMPEG` that does not run is reported, not skipped: the user asked for it. One that may run later is not called missing.
 */
export async function findFfmpeg(places: Partial<Places> = {}): Promise<FfmpegSearch> {
  const { env = process.env, findFfmpegStatic = findInstalledFfmpegStatic, platform = process.platform } = places;
  const { answerWithinMs = defaultAnswerWithinMs } = places;
  const asked = env.TALLYLIGHT_FFMPEG;
  if (asked) {
    const { version, excuse } = isAbsolute(asked) ? await askVersion(asked, answerWithinMs) : {};
    if (version !== undefined) return { kind: 'found', path: asked, version, from: 'TALLYLIGHT_FFMPEG' };
    return { kind: 'missing', reason: excuse ?? { code: 'unusable', path: asked } };
  }
  const inPackage = findFfmpegStatic();
  const bundled = inPackage ? [{ path: unpackedPath(inPackage), from: 'ffmpeg-static' as const }] : [];
  let reason: MissingFfmpeg | undefined;
  for (const { path, from } of [...bundled, ...listInstalled(platform, env)]) {
    const { version, excuse } = await askVersion(path, answerWithinMs);
    if (version !== undefined) return { kind: 'found', path, version, from };
    reason ??= excuse;
  }
  if (reason) return { kind: 'missing', reason };
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
    const { version } = await askVersion(path, defaultAnswerWithinMs);
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

/** The version that ffmpeg prints (`ffmpeg version 7.1 Copyright …`), or why it may print it later; neither if it doesn't work. */
async function askVersion(path: string, withinMs: number): Promise<{ version?: string | undefined; excuse?: MissingFfmpeg }> {
  const { error, stdout } = await runToEnd(path, ['-version'], { timeoutMs: withinMs });
  if (error === null) return { version: /^ffmpeg version (\S+)/.exec(stdout.toString('utf8'))?.[1] };
  if (wasKilled(error)) return { excuse: { code: 'no-answer', path, afterMs: withinMs } };
  const shortage = findShortage(error);
  return shortage === undefined ? {} : { excuse: { code: 'not-started', shortage } };
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
