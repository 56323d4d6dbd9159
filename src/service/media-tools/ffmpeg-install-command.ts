import { existsSync, readFileSync } from 'node:fs';

/** The system that a command is for: {@link currentSystem} outside tests. */
export interface System {
  platform: NodeJS.Platform;
  /** The text of `/etc/os-release` (os-release(5)), or empty if there is none. */
  osRelease: string;
}

/** The system this process runs on. */
export function currentSystem(): System {
  const path = '/etc/os-release';
  return { platform: process.platform, osRelease: existsSync(path) ? readFileSync(path, 'utf8') : '' };
}

/** Whether this Linux installs packages with apt: Debian, Ubuntu and distributions that list them in `ID_LIKE`. */
export function isDebianLike({ platform, osRelease }: System): boolean {
  return platform === 'linux' && linuxIds(osRelease).some((id) => id === 'debian' || id === 'ubuntu');
}

/** The command that installs ffmpeg on this system; undefined if none is known. */
export function findFfmpegInstallCommand(system: System = currentSystem()): string | undefined {
  if (system.platform === 'darwin') return 'brew install ffmpeg';
  if (system.platform === 'win32') return 'winget install Gyan.FFmpeg';
  if (system.platform !== 'linux') return undefined;
  if (isDebianLike(system)) return 'sudo apt install ffmpeg';
  const ids = linuxIds(system.osRelease);
  if (ids.includes('fedora')) return 'sudo dnf install ffmpeg-free';
  if (ids.includes('arch')) return 'sudo pacman -S ffmpeg';
  if (ids.some((id) => id === 'suse' || id === 'opensuse')) return 'sudo zypper install ffmpeg';
  if (ids.includes('alpine')) return 'sudo apk add ffmpeg';
  return undefined;
}

/** `ID` and `ID_LIKE` of os-release(5): the distribution and those it derives from. */
function linuxIds(osRelease: string): string[] {
  return [...osRelease.matchAll(/^(?:ID|ID_LIKE)=(.*)$/gm)].flatMap(([, value = '']) =>
    value.replaceAll(/["']/g, '').split(' '),
  );
}
