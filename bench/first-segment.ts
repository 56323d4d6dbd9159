import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchHost, findSegment, startBenchHost } from './bench-host.ts';
import { startChild } from './child.ts';
import { type Measurement, median } from './measurement.ts';
import { makeMediaFile } from './media-file.ts';
import type { LoadQuestion } from './processes/load-generator.ts';

const rounds = 5;
/** As often as a very eager player polls. */
const pollMs = 5;
const giveUpMs = 15_000;

/** Time from `NetStream.Publish.Start` until the multivariant playlist is available and its first segment has been fetched. */
export async function measureFirstSegment(folder: string): Promise<Measurement> {
  await using service = await startBenchHost();
  const rows: (string | number)[][] = [];
  for (const { gopSeconds, bFrames } of [
    { gopSeconds: 1, bFrames: 0 },
    { gopSeconds: 2, bFrames: 0 },
    { gopSeconds: 2, bFrames: 2 },
  ]) {
    const file = await makeMediaFile(folder, { seconds: 8, gopSeconds, bFrames });
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await timeFirstSegment(service, file));
    const middle = median(times);
    rows.push([`${gopSeconds} s${bFrames > 0 ? ', B-frames' : ''}`, middle, middle - gopSeconds * 1000, Math.max(...times)]);
  }
  return {
    title: 'First playable segment, after NetStream.Publish.Start',
    columns: [
      { name: 'GOP', unit: '' },
      { name: 'median', unit: 'ms' },
      { name: 'beyond the GOP', unit: 'ms' },
      { name: 'most', unit: 'ms' },
    ],
    rows,
    notes: [`${rounds} broadcasts each; playlists are polled every ${pollMs} ms, which adds up to that much.`],
  };
}

async function timeFirstSegment(service: BenchHost, file: string): Promise<number> {
  const { streamKey, playbackId } = await service.createStream('first segment');
  await using generator = startChild('load-generator');
  const to: LoadQuestion['to'] = { kind: 'rtmp', app: 'live', streamKeys: [streamKey] };
  await generator.ask({ file, port: service.rtmpPort, to } satisfies LoadQuestion);
  const from = performance.now();
  while (performance.now() - from < giveUpMs) {
    const found = await findSegment(service.host.ready, playbackId, 'first');
    if (found !== undefined) {
      for (const url of [found.init, found.media]) {
        const response = await fetch(url);
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
      }
      return performance.now() - from;
    }
    await sleep(pollMs);
  }
  throw new Error(`Nothing was playable after ${giveUpMs / 1000} s.`);
}
