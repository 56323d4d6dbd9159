import { spawnSync } from 'node:child_process';
import { currentSystem, isDebianLike } from '../service/media-tools/ffmpeg-install-command.ts';

/** Whether packages can be installed without asking: Debian or its like, as root. */
export function canInstallPackages(): boolean {
  return isDebianLike(currentSystem()) && process.getuid?.() === 0;
}

/** Installs Debian packages, which needs root; what apt-get says goes to standard error. Whether it worked. */
export function installPackages(names: readonly string[]): boolean {
  console.error(`Installing ${names.join(', ')} with apt-get.`);
  const apt = (...words: string[]) =>
    spawnSync('apt-get', ['-qq', '-y', ...words], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '--no-install-recommends', ...names);
  // The list of packages of a fresh system is empty, or old.
  return install() || (apt('update') && install());
}
