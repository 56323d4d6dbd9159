import { existsSync, readFileSync } from 'node:fs';

/** The system a command is for: {@link currentSystem} unless a test says otherwise. */
export interface System {
  platform: NodeJS.Platform;
  /** The text of `/etc/os-release` (os-release(5)), where there is one. */
  osRelease: string;
}

/** The system that runs this process. */
export function currentSystem(): System {
  const path = '/etc/os-release';
  return { platform: process.platform, osRelease: existsSync(path) ? readFileSync(path, 'utf8') : '' };
}

/** Whether packages of this Linux are installed with apt: Debian, Ubuntu, and what names them as its like. */
export function isDebianLike({ platform, osRelease }: System): boolean {
  return platform === 'linux' && linuxIds(osRelease).some((id) => id === 'debian' || id === 'ubuntu');
}

/** The one command that installs ffmpeg on this system; undefined where none is known. */
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

/** `ID` and `ID_LIKE` of os-release(5): the distribution, then those it derives from. */
function linuxIds(osRelease: string): string[] {
  return [...osRelease.matchAll(/^(?:ID|ID_LIKE)=(.*)$/gm)].flatMap(([, value = '']) =>
    value.replaceAll(/["']/g, '').split(' '),
  );
}
