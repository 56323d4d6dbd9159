import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { root } from '../../src/tools/paths.ts';
import { canInstallPackages, installPackages } from '../../src/tools/system-packages.ts';

/** A Python package that includes a complete ffmpeg of this version, for Linux, macOS and Windows. */
const packageName = 'imageio-ffmpeg==0.8.0';
const folder = join(root, 'node_modules', '.cache', 'tallylight', packageName);
/** How long to wait for a worker that installs it. */
const otherInstallTimeoutMs = 5 * 60_000;

/**
 * The path of ffmpeg 9, which publishes and decodes what older ones can't: HEVC, AV1 and Opus over RTMP. On first use pip installs it,
 * for tests only, in one worker while the others wait.
 *
 * @throws where it is not available
 */
export function getNewerFfmpeg(): string {
  if (!existsSync(folder)) install();
  const binaries = join(folder, 'imageio_ffmpeg', 'binaries');
  const name = readdirSync(binaries).find((file) => file.startsWith('ffmpeg-'));
  if (name === undefined) throw new Error(`${packageName} has no ffmpeg for this computer.`);
  const path = join(binaries, name);
  chmodSync(path, 0o755);
  return path;
}

function install(): void {
  mkdirSync(dirname(folder), { recursive: true });
  // Of two apt-gets that update their list of packages, one fails.
  using lock = new DatabaseSync(`${folder}.lock`, { timeout: otherInstallTimeoutMs });
  lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  if (existsSync(folder)) return;
  const making = mkdtempSync(`${folder}-`);
  const pip = () =>
    spawnSync('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', making, packageName], {
      stdio: ['ignore', 2, 2],
    }).status === 0;
  try {
    if (!pip() && !(canInstallPackages() && installPackages(['python3-pip']) && pip())) {
      throw new Error(`The tests need ffmpeg 9: python3 -m pip install --target '${folder}' ${packageName}`);
    }
    renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
