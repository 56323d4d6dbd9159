import { expect, test } from 'vitest';
import { findFfmpegInstallCommand, isDebianLike } from './ffmpeg-install-command.ts';

const linux = (osRelease: string) => ({ platform: 'linux' as const, osRelease });

test.each([
  ['macOS', { platform: 'darwin' as const, osRelease: '' }, 'brew install ffmpeg'],
  ['Windows', { platform: 'win32' as const, osRelease: '' }, 'winget install Gyan.FFmpeg'],
  ['Debian', linux('NAME="Debian"\nID=debian\n'), 'sudo apt install ffmpeg'],
  ['Mint, which is like Ubuntu', linux('ID=linuxmint\nID_LIKE="ubuntu debian"\n'), 'sudo apt install ffmpeg'],
  ['Fedora', linux('ID=fedora\n'), 'sudo dnf install ffmpeg-free'],
  ['Rocky, which is like Fedora', linux('ID="rocky"\nID_LIKE="rhel centos fedora"\n'), 'sudo dnf install ffmpeg-free'],
  ['Manjaro, which is like Arch', linux('ID=manjaro\nID_LIKE=arch\n'), 'sudo pacman -S ffmpeg'],
  ['openSUSE', linux('ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n'), 'sudo zypper install ffmpeg'],
  ['Alpine', linux('ID=alpine\n'), 'sudo apk add ffmpeg'],
  ['an unknown Linux', linux('ID=other\n'), undefined],
  ['another system', { platform: 'freebsd' as const, osRelease: '' }, undefined],
])('%s', (_name, system, command) => expect(findFfmpegInstallCommand(system)).toBe(command));

test('only Debian and its derivatives use Debian packages', () => {
  expect(isDebianLike(linux('ID=pop\nID_LIKE="ubuntu debian"\n'))).toBe(true);
  expect(isDebianLike(linux('ID=fedora\n'))).toBe(false);
  expect(isDebianLike({ platform: 'darwin', osRelease: 'ID=debian' })).toBe(false);
});
