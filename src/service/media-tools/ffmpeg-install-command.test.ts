import { expect, test } from 'vitest';
import { findFfmpegInstallCommand, isDebianLike } from './ffmpeg-install-command.ts';

const linux = (osRelease: string) => ({ platform: 'linux' as const, osRelease });

const macOS = { platform: 'darwin' as const, osRelease: '' };
const windows = { platform: 'win32' as const, osRelease: '' };

test.each([
  ['macOS', macOS, 'brew install ffmpeg'],
  ['Windows', windows, 'winget install Gyan.FFmpeg'],
  ['Debian', linux('NAME="Debian"\nID=debian\n'), 'sudo apt install ffmpeg'],
  ['Mint, which is like Ubuntu', linux('ID=linuxmint\nID_LIKE="ubuntu debian"\n'), 'sudo apt install ffmpeg'],
  ['Fedora', linux('ID=fedora\n'), 'sudo dnf install ffmpeg-free'],
  ['Rocky, which has ffmpeg only in EPEL', linux('ID="rocky"\nID_LIKE="rhel centos fedora"\n'), undefined],
  ['Manjaro, which is like Arch', linux('ID=manjaro\nID_LIKE=arch\n'), 'sudo pacman -S ffmpeg'],
  ['openSUSE', linux('ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n'), 'sudo zypper install ffmpeg'],
  ['Alpine', linux('ID=alpine\n'), 'sudo apk add ffmpeg'],
  ['an unknown Linux', linux('ID=other\n'), undefined],
  ['another system', { platform: 'freebsd' as const, osRelease: '' }, undefined],
])('any build on %s', (_name, system, command) => expect(findFfmpegInstallCommand('any', system)).toBe(command));

test.each([
  ['macOS', macOS, 'brew install ffmpeg'],
  ['Windows', windows, 'winget install Gyan.FFmpeg'],
  ['Debian', linux('ID=debian\n'), 'sudo apt install ffmpeg'],
  [
    'Fedora, whose own has no x264',
    linux('ID=fedora\n'),
    'sudo dnf install https://mirrors.rpmfusion.org/free/fedora/rpmfusion-free-release-$(rpm -E %fedora).noarch.rpm && sudo dnf install --allowerasing ffmpeg',
  ],
  ['Rocky', linux('ID="rocky"\nID_LIKE="rhel centos fedora"\n'), undefined],
  ['Arch', linux('ID=arch\n'), 'sudo pacman -S ffmpeg'],
  [
    'openSUSE, whose own has no x264',
    linux('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n'),
    'sudo zypper install opi && opi codecs',
  ],
  ['Alpine', linux('ID=alpine\n'), 'sudo apk add ffmpeg'],
])('a full build on %s', (_name, system, command) => expect(findFfmpegInstallCommand('full', system)).toBe(command));

test('only Debian and its derivatives use Debian packages', () => {
  expect(isDebianLike(linux('ID=pop\nID_LIKE="ubuntu debian"\n'))).toBe(true);
  expect(isDebianLike(linux('ID=fedora\n'))).toBe(false);
  expect(isDebianLike({ platform: 'darwin', osRelease: 'ID=debian' })).toBe(false);
});
