import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { findChromium } from '../../test/support/find-chromium.ts';
import { listOnPath } from '../service/lib/list-on-path.ts';
import { findFfmpeg } from '../service/media-tools/find-ffmpeg.ts';
import { canInstallPackages, installPackages } from './system-packages.ts';

/** A program that the tests need and npm does not install. */
interface Need {
  name: string;
  debianPackages: readonly string[];
  isThere: () => boolean | Promise<boolean>;
}

const needs: readonly Need[] = [
  { name: 'ffmpeg', debianPackages: ['ffmpeg'], isThere: async () => (await findFfmpeg()).kind === 'found' },
  {
    name: 'Chromium or Chrome (or TALLYLIGHT_CHROMIUM with its path)',
    debianPackages: ['chromium-headless-shell'],
    isThere: () => findChromium() !== undefined,
  },
  {
    name: 'D-Bus, gnome-keyring and libsecret',
    debianPackages: ['dbus', 'gnome-keyring', 'libsecret-1-0'],
    isThere: () => process.platform !== 'linux' || (runs('dbus-daemon') && runs('gnome-keyring-daemon') && loads('keytar')),
  },
  {
    name: 'GStreamer with its plug-ins (gst-launch-1.0)',
    debianPackages: ['tools', 'plugins-base', 'plugins-good', 'plugins-bad', 'libav'].map((part) => `gstreamer1.0-${part}`),
    isThere: () =>
      ['playbin3', 'souphttpsrc', 'hlsdemux', 'hlsdemux2', 'checksumsink', 'avdec_h264', 'avdec_aac'].every(hasElement),
  },
  {
    name: 'Xvfb, xwininfo and PulseAudio',
    debianPackages: ['xvfb', 'x11-utils', 'pulseaudio'],
    isThere: () =>
      process.platform !== 'linux' ||
      ['Xvfb', 'xwininfo', 'pulseaudio', 'pactl', 'ffplay'].every((program) => listOnPath(program).length > 0),
  },
  // Not by its version: VLC refuses to print it as root.
  { name: 'VLC (vlc)', debianPackages: ['vlc-bin', 'vlc-plugin-base'], isThere: () => listOnPath('vlc').length > 0 },
];

/** Makes sure the tests have what they need: installs it if that needs no permission, or throws with instructions. */
export async function ensureTestNeeds(): Promise<void> {
  const missing = await findMissing();
  if (missing.length === 0) return;
  const packages = missing.flatMap(({ debianPackages }) => debianPackages);
  if (canInstallPackages() && installPackages(packages) && (await findMissing()).length === 0) return;
  const names = missing.map(({ name }) => name).join('; ');
  throw new Error(
    `The tests need ${names}. Install what is missing (Debian and Ubuntu: sudo apt install ${packages.join(' ')}).`,
  );
}

async function findMissing(): Promise<Need[]> {
  const looked = await Promise.all(needs.map(async (need) => ({ need, isThere: await need.isThere() })));
  return looked.filter(({ isThere }) => !isThere).map(({ need }) => need);
}

function runs(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

function hasElement(name: string): boolean {
  return spawnSync('gst-inspect-1.0', ['--exists', name], { stdio: 'ignore' }).status === 0;
}

/** Whether a package loads. Uses a separate process, since a native module that failed to load is not tried again. */
function loads(packageName: string): boolean {
  const path = createRequire(import.meta.url).resolve(packageName);
  return spawnSync(process.execPath, ['-e', `require(${JSON.stringify(path)})`], { stdio: 'ignore' }).status === 0;
}
