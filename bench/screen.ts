import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { killChild } from '../src/service/lib/kill-child.ts';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { encodePresets } from '../src/shared/model/encode-settings.ts';
import { describeMissingFfmpeg } from '../src/shared/words/ffmpeg-words.ts';
import { type FoundProcess, findFfmpegs, findMeters, isMeter } from '../test/support/find-processes.ts';
import type { Measurement } from './measurement.ts';
import { readAgeSeconds, readCpuSeconds } from './process-usage.ts';
import { startScreenBroadcast } from './screen-broadcast.ts';
import { startScreenStage } from './screen-stage.ts';

/** Before measuring: the broadcast begins, and everything is compiled. */
const settleMs = 10_000;

/** The cost of a broadcast of this computer's screen and sound, by process, compared with one bare ffmpeg command. */
export async function measureScreen({ measureSeconds }: { measureSeconds: number }): Promise<Measurement> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(describeMissingFfmpeg(ffmpeg.reason));
  const ours = await measureOurs(measureSeconds);
  const bare = await measureBare(ffmpeg.path, measureSeconds);
  const whole = [...ours.percents.values()].reduce((sum, percent) => sum + percent, 0);
  return {
    title: `Captured screen: 720p30 and sound from X11 and PulseAudio, on air for ${measureSeconds} s`,
    columns: [
      { name: '', unit: '' },
      { name: 'CPU', unit: '% of a core' },
    ],
    rows: [
      ...ours.percents,
      ['all of it', whole],
      [`the audio meter in its first ${Math.round(ours.meterStart.seconds)} s, its start included`, ours.meterStart.percent],
      ['one bare ffmpeg: capture, the same encode, into a file that is thrown away', bare],
    ],
    notes: ['The screen is drawn by another process, which is not counted; nor are Xvfb and PulseAudio.'],
  };
}

interface OurUsage {
  /** % of a core per program, the service first. */
  percents: Map<string, number>;
  /** The audio meter before that: most of its cost at first is its start. */
  meterStart: { seconds: number; percent: number };
}

async function measureOurs(measureSeconds: number): Promise<OurUsage> {
  await using broadcast = await startScreenBroadcast({ fps: 30 });
  await sleep(settleMs);
  const { pid } = broadcast.host;
  const processes = [{ pid, role: 'the service: feeds, upload, ingest, packaging' }];
  for (const found of await findFfmpegs(pid)) processes.push({ pid: found.pid, role: nameRole(found) });
  const before = processes.map((one) => readCpuSeconds(one.pid));
  const meterStart = readMeterStart(await findMeters(pid));
  await sleep(measureSeconds * 1000);
  const percents = new Map<string, number>();
  for (const [index, one] of processes.entries()) {
    const percent = ((readCpuSeconds(one.pid) - (before[index] ?? 0)) / measureSeconds) * 100;
    percents.set(one.role, (percents.get(one.role) ?? 0) + percent);
  }
  return { percents, meterStart };
}

function readMeterStart([meter]: readonly FoundProcess[]): OurUsage['meterStart'] {
  if (meter === undefined) throw new Error('The broadcast has no audio meter.');
  const seconds = readAgeSeconds(meter.pid);
  return { seconds, percent: (readCpuSeconds(meter.pid) / seconds) * 100 };
}

function nameRole({ words }: FoundProcess): string {
  if (isMeter({ words })) return 'the audio meter';
  if (words.includes('x11grab')) return 'the capture of the screen';
  if (words.includes('pulse')) return 'the capture of the sound';
  return 'the encoder';
}

async function measureBare(ffmpegPath: string, measureSeconds: number): Promise<number> {
  await using stage = await startScreenStage();
  const { fps, videoBitrateBps } = encodePresets['720p30'];
  const rate = String(videoBitrateBps);
  const ffmpeg = spawn(
    ffmpegPath,
    [
      ...['-v', 'error', '-nostdin', '-thread_queue_size', '64', '-f', 'x11grab', '-framerate', String(fps)],
      ...[
        '-video_size',
        '1280x720',
        '-i',
        stage.env.DISPLAY,
        '-thread_queue_size',
        '64',
        '-f',
        'pulse',
        '-i',
        'speakers.monitor',
      ],
      ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', String(fps)],
      ...['-b:v', rate, '-maxrate', rate, '-bufsize', rate, '-c:a', 'aac', '-b:a', '160k', '-f', 'flv', '/dev/null', '-y'],
    ],
    { env: { ...process.env, ...stage.env }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(ffmpeg, 'exit');
  await sleep(settleMs);
  const pid = ffmpeg.pid as number;
  const before = readCpuSeconds(pid);
  await sleep(measureSeconds * 1000);
  const percent = ((readCpuSeconds(pid) - before) / measureSeconds) * 100;
  killChild(ffmpeg, 'SIGKILL');
  await ended;
  return percent;
}
