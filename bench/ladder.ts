import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { bitrateBps, type Profile, recommendedProfiles } from '../src/shared/model/profile.ts';
import { describeMissingFfmpeg } from '../src/shared/words/ffmpeg-words.ts';
import { findFfmpegs } from '../test/support/find-processes.ts';
import { startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import type { Measurement } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import { readCpuSeconds, readEndedChildrenCpuSeconds, readResidentMib } from './process-usage.ts';
import type { FeedQuestion, FeedReport } from './processes/ladder-feeder.ts';
import type { LoadQuestion } from './processes/load-generator.ts';

const seconds = 20;
const fps = 30;
const gopSeconds = 2;
/** Before measuring the complete service: encoders are probed and the publisher connects. */
const settleMs = 5_000;

/** CPU of our ladder including packaging, compared with one ffmpeg command that writes the same renditions to files. */
export async function measureLadder(folder: string): Promise<Measurement> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(describeMissingFfmpeg(ffmpeg.reason));
  const file = await makeMediaFile(folder, { seconds, gopSeconds, bFrames: 0 });
  const withLadder = await measureService(file, recommendedProfiles);
  const withoutLadder = await measureService(file, []);
  const ladder = await measureOurs({ file, ffmpegPath: ffmpeg.path, fps });
  const lowLatency = await measureBare(ffmpeg.path, file, folder, ['-tune', 'zerolatency']);
  const plain = await measureBare(ffmpeg.path, file, folder, []);
  const percent = (cpuSeconds: number) => (cpuSeconds / seconds) * 100;
  const row = (name: string, cpuSeconds: number) => [name, percent(cpuSeconds), cpuSeconds / lowLatency];
  return {
    title: 'Ladder: 720p30 of 2.5 Mbit/s into 720p, 480p and 360p with x264 superfast, in real time',
    columns: [
      { name: '', unit: '' },
      { name: 'CPU', unit: '% of a core' },
      { name: 'of the bare command', unit: '×' },
    ],
    rows: [
      row('the complete service with its ffmpeg, from RTMP to playlists', withLadder.cpuSeconds),
      row('ladder and packagers alone, with their ffmpeg', ladder.cpuSeconds),
      row('bare ffmpeg with -tune zerolatency, into files', lowLatency),
      row('bare ffmpeg without it, into files', plain),
    ],
    notes: [
      `${ladder.sourceSegments} segments of the source, ${ladder.renditionSegments} of the renditions.`,
      `From a picture in to the same picture out ${ladder.medianLatencyMs.toFixed(1)} ms, the median of all renditions.`,
      `The service has ${withLadder.residentMib.toFixed(0)} MiB resident with the ladder after ${seconds} s, ${withoutLadder.residentMib.toFixed(0)} without: renditions' segments included.`,
    ],
  };
}

/** The headless host and its ffmpeg while a stream with these profiles is published to it; memory is that of the end. */
async function measureService(
  file: string,
  profiles: readonly Profile[],
): Promise<{ cpuSeconds: number; residentMib: number }> {
  await using service = await startBenchHost();
  const { pid } = service.host;
  await sleep(settleMs);
  const { streamKey } = await service.createStream('ladder', profiles);
  await using publisher = startChild('load-generator');
  const to: LoadQuestion['to'] = { kind: 'rtmp', app: 'live', streamKeys: [streamKey] };
  await publisher.ask({ file, port: service.rtmpPort, to } satisfies LoadQuestion);
  await sleep(settleMs);
  const pids = [pid, ...(await findFfmpegs(pid)).map((ffmpeg) => ffmpeg.pid)];
  if (pids.length !== (profiles.length > 0 ? 2 : 1)) throw new Error('There should be one ffmpeg for a ladder, and no other.');
  const read = () => pids.reduce((sum, one) => sum + readCpuSeconds(one), 0);
  const before = read();
  await sleep(seconds * 1000);
  return { cpuSeconds: read() - before, residentMib: readResidentMib(pid) };
}

async function measureOurs(question: FeedQuestion): Promise<FeedReport & { cpuSeconds: number }> {
  await using child = startChild('ladder-feeder');
  const report = await child.ask<FeedReport>(question);
  const cpuSeconds = readCpuSeconds(child.pid) + readEndedChildrenCpuSeconds(child.pid) - report.startUpSeconds;
  return { ...report, cpuSeconds };
}

async function measureBare(path: string, file: string, folder: string, tune: readonly string[]): Promise<number> {
  const scales = recommendedProfiles.map(({ width, height }, index) => `[s${index}]scale=${width}:${height}[v${index}]`);
  const graph = `[0:v]split=3[s0][s1][s2];${scales.join(';')}`;
  const outputs = recommendedProfiles.flatMap(({ name, bitrate }, index) => {
    const rate = String(bitrateBps(bitrate));
    return [
      ...['-map', `[v${index}]`, '-map', '0:a', '-c:a', 'copy', '-c:v', 'libx264', '-preset', 'superfast', ...tune],
      ...['-b:v', rate, '-maxrate', rate, '-bufsize', rate, '-g', String(gopSeconds * fps), '-sc_threshold', '0'],
      join(folder, `${name}.flv`),
    ];
  });
  const before = readEndedChildrenCpuSeconds(process.pid);
  const args = ['-y', '-v', 'error', '-nostdin', '-re', '-i', file, '-filter_complex', graph, ...outputs];
  const [exitCode] = await once(spawn(path, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
  if (exitCode !== 0) throw new Error(`The bare command ended with ${exitCode}.`);
  return readEndedChildrenCpuSeconds(process.pid) - before;
}
