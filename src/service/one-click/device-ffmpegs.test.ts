import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeCountedProgram } from '../../../test/support/counted-program.ts';
import { findDeviceFfmpegs, parseInputDevices } from './device-ffmpegs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-devices-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The output of Debian's ffmpeg 5.1. */
const debian = `Devices:
 D. = Demuxing supported
 .E = Muxing supported
 --
 DE alsa            ALSA audio output
  E caca            caca (color ASCII art) output device
 DE fbdev           Linux framebuffer
 D  lavfi           Libavfilter virtual input device
 DE pulse           Pulse audio output
 DE video4linux2,v4l2 Video4Linux2 output device
 D  x11grab         X11 screen capture, using XCB
  E xv              XV (XVideo) output device
`;
/** A static build of 7.0.2; ffmpeg-static's on Linux is one like it. */
const staticBuild = `Devices:
 D. = Demuxing supported
 .E = Muxing supported
 ---
 DE alsa            ALSA audio output
 DE fbdev           Linux framebuffer
 D  lavfi           Libavfilter virtual input device
 DE oss             OSS (Open Sound System) playback
 DE video4linux2,v4l2 Video4Linux2 output device
 D  x11grab         X11 screen capture, using XCB
  E xv              XV (XVideo) output device
`;

/** A program that answers as ffmpeg does, and counts how often it is asked. */
async function writeFfmpeg(name: string, answer: string) {
  const { path, readRuns } = await writeCountedProgram(join(folder, name, 'ffmpeg'), `cat <<'END'\n${answer}END`);
  return { ffmpeg: { path, version: name }, asked: readRuns };
}

const linux = { platform: 'linux', installCommand: 'sudo apt install ffmpeg' } as const;

test('the input devices of a build are read from its list', () => {
  expect(parseInputDevices(debian)).toEqual(['alsa', 'fbdev', 'lavfi', 'pulse', 'video4linux2', 'v4l2', 'x11grab']);
  expect(parseInputDevices(staticBuild)).toEqual(['alsa', 'fbdev', 'lavfi', 'oss', 'video4linux2', 'v4l2', 'x11grab']);
  expect(parseInputDevices('Segmentation fault')).toBeUndefined();
});

test.skipIf(process.platform === 'win32')(
  "what the usual ffmpeg can't open, another one does; each is asked once",
  async () => {
    const bundled = await writeFfmpeg('bundled', staticBuild);
    const system = await writeFfmpeg('system', debian);
    const search = { ...linux, usual: bundled.ffmpeg, dataFolder: folder, findOthers: async () => [system.ffmpeg] };
    for (const _ of ['first start', 'next start']) {
      expect(await findDeviceFfmpegs(search)).toEqual({
        paths: new Map([
          ['x11grab', bundled.ffmpeg.path],
          ['v4l2', bundled.ffmpeg.path],
          ['pulse', system.ffmpeg.path],
        ]),
        installCommand: 'sudo apt install ffmpeg',
      });
    }
    const asked = '-hide_banner -devices\n';
    expect([await bundled.asked(), await system.asked()]).toEqual([asked, asked]);
  },
);

test.skipIf(process.platform === 'win32')(
  'no other is looked for if the usual one has all, and none is named for what no one has',
  async () => {
    const system = await writeFfmpeg('system', debian);
    const bundled = await writeFfmpeg('bundled', staticBuild);
    const search = { ...linux, dataFolder: folder };
    const complete = await findDeviceFfmpegs({
      ...search,
      usual: system.ffmpeg,
      findOthers: () => Promise.reject(new Error('looked for others')),
    });
    expect([...complete.paths.keys()].sort()).toEqual(['pulse', 'v4l2', 'x11grab']);
    const lacking = await findDeviceFfmpegs({ ...search, usual: bundled.ffmpeg, findOthers: async () => [] });
    expect([...lacking.paths.keys()].sort()).toEqual(['v4l2', 'x11grab']);
  },
);

test.skipIf(process.platform === 'win32')("an ffmpeg that doesn't say what it has is tried", async () => {
  const odd = await writeFfmpeg('odd', 'Segmentation fault\n');
  const { paths } = await findDeviceFfmpegs({ ...linux, usual: odd.ffmpeg, dataFolder: folder, findOthers: async () => [] });
  expect([...paths.keys()].sort()).toEqual(['pulse', 'v4l2', 'x11grab']);
});
