import { setTimeout as sleep } from 'node:timers/promises';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../src/shared/words/ffmpeg-words.ts';
import { findFfmpegs } from '../test/support/find-processes.ts';
import { type Measurement, median } from './measurement.ts';
import { readResidentMib } from './process-usage.ts';
import { startScreenBroadcast } from './screen-broadcast.ts';
import { findSoundLags, startSyncReader } from './sync-reader.ts';

/** Rows of the table. */
const spans = 6;
/** The usual rate: the delay of a picture varies by a frame. */
const fps = 30;

/** Whether sound and picture of a captured screen stay together over a long broadcast, and whether memory grows. */
export async function measureDrift({ minutes }: { minutes: number }): Promise<Measurement> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(describeMissingFfmpeg(ffmpeg.reason));
  await using broadcast = await startScreenBroadcast({ fps });
  await using reader = startSyncReader(ffmpeg.path, broadcast.playbackUrl);
  const { pid } = broadcast.host;
  const rows: (string | number)[][] = [];
  const spanMinutes = minutes / spans;
  let seen = 0;
  let firstMs: number | undefined;
  for (let span = 0; span < spans; span += 1) {
    await sleep(spanMinutes * 60_000);
    const lagsMs = findSoundLags(reader).map(({ lagMs }) => lagMs);
    const newMs = lagsMs.slice(seen);
    seen = lagsMs.length;
    if (newMs.length === 0) throw new Error('No beep was heard for a whole span.');
    firstMs ??= newMs[0] as number;
    // Lags are known modulo a second.
    const since = (lagMs: number) => ((((lagMs - (firstMs as number) + 1500) % 1000) + 1000) % 1000) - 500;
    const driftsMs = newMs.map(since);
    const children = await findFfmpegs(pid);
    rows.push([
      `${(span * spanMinutes).toFixed(1)} to ${((span + 1) * spanMinutes).toFixed(1)} min`,
      newMs.length,
      median(driftsMs),
      Math.min(...driftsMs),
      Math.max(...driftsMs),
      readResidentMib(pid),
      children.reduce((sum, child) => sum + readResidentMib(child.pid), 0),
    ]);
  }
  return {
    title: `Drift: a captured screen and its sound in 720p${fps} on air for ${minutes} min, as ffmpeg plays it`,
    columns: [
      { name: '', unit: '' },
      { name: 'beeps', unit: '' },
      { name: 'sound behind picture, median', unit: 'ms' },
      { name: 'least', unit: 'ms' },
      { name: 'most', unit: 'ms' },
      { name: 'service', unit: 'MiB' },
      { name: 'its ffmpegs', unit: 'MiB' },
    ],
    rows,
    notes: [
      'A clock is on the screen and a beep begins with each second of it; both are found again in what is played.',
      'How far sound is behind is relative to the first beep: the delay of the program that plays the beeps is unknown, but constant.',
    ],
  };
}
