import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { writeCountedProgram } from '../../../../test/support/counted-program.ts';
import { listLinuxDevices } from './linux-devices.ts';

afterEach(() => vi.unstubAllEnvs());

const installCommand = 'sudo apt install ffmpeg';

test.skipIf(process.platform !== 'linux')('what no ffmpeg can open is left to pages, with what to install', async () => {
  // A sound server's sources would be listed if anything could open them.
  vi.stubEnv('DISPLAY', ':0');
  vi.stubEnv('WAYLAND_DISPLAY', undefined);
  expect(await listLinuxDevices({ paths: new Map([['v4l2', '/nowhere/ffmpeg']]), installCommand })).toMatchObject({
    screens: [],
    windows: [],
    microphones: [],
    systemSounds: [],
    by: { screen: 'page', window: 'page', camera: 'service', microphone: 'page', system: 'page' },
    lacking: { kinds: ['screen', 'window', 'microphone', 'system'], installCommand },
  });
});

test.skipIf(process.platform !== 'linux')('on Wayland no ffmpeg helps: the portal asks', async () => {
  vi.stubEnv('WAYLAND_DISPLAY', 'wayland-0');
  vi.stubEnv('DISPLAY', ':0');
  const { by, lacking } = await listLinuxDevices({ paths: new Map([['v4l2', '/nowhere/ffmpeg']]), installCommand });
  expect(by).toEqual({ screen: 'page', window: 'page', camera: 'service', microphone: 'page', system: 'page' });
  expect(lacking?.kinds).toEqual(['microphone', 'system']);
});

/** Puts a `pactl` that does this on PATH, and returns an ffmpeg that lists a microphone, with how often it was asked. */
async function makeSoundPrograms(pactl: string): Promise<{ ffmpeg: string; countAsked: () => Promise<number> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-pactl-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeCountedProgram(join(folder, 'pactl'), pactl);
  vi.stubEnv('PATH', folder);
  const list = `echo 'Auto-detected sources for pulse:'; echo '* mic [Desk] (none)'`;
  const { path, countRuns } = await writeCountedProgram(join(folder, 'ffmpeg'), list);
  return { ffmpeg: path, countAsked: countRuns };
}

test.skipIf(process.platform !== 'linux')(
  'where pactl reaches no sound server, no ffmpeg is started to look for one',
  async () => {
    const { ffmpeg, countAsked } = await makeSoundPrograms(`case "$*" in
'-f json --version') echo 'pactl 16.1' ;;
*) echo 'Connection failure: Connection refused' >&2; exit 1 ;;
esac`);
    const { microphones, systemSounds } = await listLinuxDevices({ paths: new Map([['pulse', ffmpeg]]), installCommand });
    expect({ microphones, systemSounds }).toEqual({ microphones: undefined, systemSounds: undefined });
    expect(await countAsked()).toBe(0);
  },
);

test.skipIf(process.platform !== 'linux')('where pactl is too old for JSON, ffmpeg lists the sources', async () => {
  const { ffmpeg, countAsked } = await makeSoundPrograms(`case "$*" in
-f*) echo "pactl: invalid option -- 'f'" >&2; exit 1 ;;
esac`);
  const { microphones, systemSounds } = await listLinuxDevices({ paths: new Map([['pulse', ffmpeg]]), installCommand });
  expect({ microphones, systemSounds }).toEqual({
    microphones: [{ id: 'mic', name: 'Desk', isDefault: true }],
    systemSounds: [],
  });
  expect(await countAsked()).toBe(1);
});

test.skipIf(process.platform !== 'linux')(
  'names that the JSON of pactl lacks are read from its other list, and ffmpeg is not asked',
  async () => {
    const { ffmpeg, countAsked } = await makeSoundPrograms(`case "$*" in
'-f json list sources') echo '[{"name":"a","description":"(null)","mute":true},{"name":"b","description":"Desk","mute":false}]' ;;
'list sources') printf 'Source #0\\n\\tState: IDLE\\n\\tName: a\\n\\tDescription: Café\\n\\tMute: yes\\n\\nSource #1\\n\\tState: IDLE\\n\\tName: b\\n\\tDescription: Desk\\n' ;;
get-default-source) echo b ;;
esac`);
    const { microphones } = await listLinuxDevices({ paths: new Map([['pulse', ffmpeg]]), installCommand });
    expect(microphones).toEqual([
      { id: 'a', name: 'Café', isMuted: true },
      { id: 'b', name: 'Desk', isDefault: true },
    ]);
    expect(await countAsked()).toBe(0);
  },
);
