import { spawnSync } from 'node:child_process';
import { currentSystem, isDebianLike } from '../service/media-tools/ffmpeg-install-command.ts';

/** Whether packages can be installed without asking: on Debian or a derivative, as root. */
export function canInstallPackages(): boolean {
  return isDebianLike(currentSystem()) && process.getuid?.() === 0;
}

/**
 * How long apt-get waits for another one, as long as apt does: the system's own begins right after a start. By default apt-get fails at once
 * (apt.conf(5)).
 */
const lockSeconds = 120;

/** Installs Debian packages as root, with apt-get's output on standard error; returns whether it worked. */
export function installPackages(names: readonly string[]): boolean {
  console.error(`Installing ${names.join(', ')} with apt-get.`);
  const apt = (...words: string[]) =>
    spawnSync('apt-get', ['-qq', '-y', '-o', `DPkg::Lock::Timeout=${lockSeconds}`, ...words], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '--no-install-recommends', ...names);
  // A fresh system has no package list, or an old one.
  return install() || (apt('update') && install());
}
