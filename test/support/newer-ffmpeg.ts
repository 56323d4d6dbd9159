import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../src/tools/paths.ts';
import { canInstallPackages, installPackages } from '../../src/tools/system-packages.ts';

/** A Python package that includes a complete ffmpeg of this version, for Linux, macOS and Windows. */
const packageName = 'imageio-ffmpeg==0.8.0';
const folder = join(root, 'node_modules', '.cache', 'tallylight', packageName);

/**
 * The path of ffmpeg 9, which publishes and decodes what older ones can't: HEVC, AV1 and Opus over RTMP. On first use pip installs it,
 * for tests only.
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
  const making = mkdtempSync(`${folder}-`);
  const pip = () =>
    spawnSync('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', making, packageName], {
      stdio: ['ignore', 2, 2],
    }).status === 0;
  try {
    if (!pip() && !(canInstallPackages() && installPackages(['python3-pip']) && pip())) {
      throw new Error(`The tests need ffmpeg 9: python3 -m pip install --target '${folder}' ${packageName}`);
    }
    // Another test may have been faster.
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
