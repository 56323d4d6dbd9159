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
  return platform === 'linux' && readIds(osRelease).ids.some((id) => id === 'debian' || id === 'ubuntu');
}

/** `--allowerasing` replaces Fedora's own ffmpeg-free. */
const installFromRpmFusion =
  'sudo dnf install https://mirrors.rpmfusion.org/free/fedora/rpmfusion-free-release-$(rpm -E %fedora).noarch.rpm && sudo dnf install --allowerasing ffmpeg';

/**
 * The command that installs ffmpeg on this system; undefined if none is known. Any build captures devices; Go live needs a full one, with
 * x264. Fedora's and openSUSE's own builds lack it; full ones come from RPM Fusion and through `opi codecs`.
 */
export function findFfmpegInstallCommand(build: 'any' | 'full', system: System = currentSystem()): string | undefined {
  if (system.platform === 'darwin') return 'brew install ffmpeg';
  if (system.platform === 'win32') return 'winget install Gyan.FFmpeg';
  if (system.platform !== 'linux') return undefined;
  if (isDebianLike(system)) return 'sudo apt install ffmpeg';
  const { id, ids } = readIds(system.osRelease);
  // Systems that are like Fedora, such as RHEL, have neither its packages nor its version number.
  if (id === 'fedora') return build === 'any' ? 'sudo dnf install ffmpeg-free' : installFromRpmFusion;
  if (ids.includes('arch')) return 'sudo pacman -S ffmpeg';
  if (ids.includes('suse') || ids.includes('opensuse'))
    return build === 'any' ? 'sudo zypper install ffmpeg' : 'sudo zypper install opi && opi codecs';
  if (ids.includes('alpine')) return 'sudo apk add ffmpeg';
  return undefined;
}

/** `id`: the distribution, as os-release(5) names it; `ids`: it and those it derives from. */
function readIds(osRelease: string): { id: string | undefined; ids: string[] } {
  const read = (name: string) => new RegExp(`^${name}=["']?(.*?)["']?$`, 'm').exec(osRelease)?.[1]?.split(' ') ?? [];
  const [id] = read('ID');
  return { id, ids: [...read('ID'), ...read('ID_LIKE')] };
}
