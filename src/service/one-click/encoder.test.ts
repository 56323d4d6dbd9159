import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { createSystemClock } from '../lib/system-clock.ts';
import { Encoder } from './encoder.ts';

const media = fileURLToPath(new URL('../../../test/fixtures/media/eight-seconds.flv', import.meta.url));
const works = `head -c 200000 '${media}'; cat`;
const worksAndCrashes = `head -c 200000 '${media}'; exit 1`;
const crashes = 'exit 2';
const hangs = 'exec sleep 60';
/** Its program doesn't exist. */
const cannotStart = 'no script';
const putsOutGarbage = 'echo "This is no Flash Video file at all."; cat';

/** An encoder whose ffmpegs are these shell commands, one after another. Returns what it reports. */
function startEncoder(encoder: EncoderName, ...scripts: readonly string[]) {
  const heard: string[] = [];
  let started = 0;
  // Only a hanging ffmpeg may time out, however busy the computer is.
  const limitMs = () => (scripts[started] === hangs ? 50 : 60_000);
  const running = new Encoder({
    get ffmpegPath() {
      return scripts[started] === cannotStart ? '/nowhere/ffmpeg' : '/bin/sh';
    },
    encoder,
    startLimits: {
      get hardwareMs() {
        return limitMs();
      },
      get softwareMs() {
        return limitMs();
      },
    },
    args: (name) => {
      heard.push(`start ${name}`);
      started += 1;
      return ['-c', scripts[started - 1]!];
    },
    feed: { format: { fps: 30 }, capturedAt: () => undefined, tap: () => ({ firstFrame: 0, close() {} }) },
    tracks: { video: true, audio: false },
    clock: createSystemClock(),
    onUnit: () => {
      if (heard.at(-1) !== 'media') heard.push('media');
    },
    onMetadata: () => {},
    onProgress: () => {},
    onFallback: (failed) => heard.push(`${failed} falls back`),
    onRestart: ({ failure }, waitMs) =>
      heard.push(`restart after ${failure.code}${waitMs === 0 ? '' : ` in ${Math.round(waitMs / 1_000)} s`}`),
    onFailed: ({ failure }) => heard.push(`failed with ${failure.code}`),
  });
  onTestFinished(() => running.stop());
  return heard;
}

describe.skipIf(process.platform === 'win32')('an encoder', () => {
  test('that has never worked fails at once, and so does one that hangs as it starts', async () => {
    const crashed = startEncoder('libx264', crashes);
    await soon(() => expect(crashed).toEqual(['start libx264', 'failed with exited']));
    const hung = startEncoder('libx264', hangs);
    await soon(() => expect(hung).toEqual(['start libx264', 'failed with frozen']));
  });

  test('that has worked is restarted, even if the next one never begins', async () => {
    for (const [next, code] of [
      [crashes, 'exited'],
      [hangs, 'frozen'],
    ] as const) {
      const heard = startEncoder('libx264', worksAndCrashes, next, works);
      const first = ['start libx264', 'media', 'restart after exited'];
      const second = ['start libx264', `restart after ${code} in 1 s`];
      await soon(() => expect(heard).toEqual([...first, ...second, 'start libx264', 'media']));
    }
  });

  test('that keeps crashing is restarted for as long as it takes, after the fifth time with a pause', async () => {
    const heard = startEncoder('libx264', ...Array(6).fill(worksAndCrashes), works);
    const crash = ['start libx264', 'media', 'restart after exited'];
    const last = ['start libx264', 'media', 'restart after exited in 5 s'];
    await soon(() => expect(heard).toEqual([...Array(5).fill(crash).flat(), ...last, 'start libx264', 'media']), 20_000);
  });

  test('whose ffmpeg cannot be started fails, and its hardware is not to blame', async () => {
    const heard = startEncoder('h264_nvenc', cannotStart);
    await soon(() => expect(heard).toEqual(['start h264_nvenc', 'failed with not-started']));
  });

  test('on hardware is replaced by x264, however it ends', async () => {
    for (const hardware of [crashes, hangs, putsOutGarbage]) {
      const heard = startEncoder('h264_nvenc', hardware, works);
      await soon(() => expect(heard).toEqual(['start h264_nvenc', 'h264_nvenc falls back', 'start libx264', 'media']));
    }
  });
});
