import { setTimeout as sleep } from 'node:timers/promises';
import { findFfmpeg } from '../src/service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../src/shared/words/ffmpeg-words.ts';
import { findFfmpegs } from '../test/support/find-processes.ts';
import { startBeepListener } from './beep-listener.ts';
import { type Measurement, median } from './measurement.ts';
import { readResidentMib } from './process-usage.ts';
import { startScreenBroadcast } from './screen-broadcast.ts';
import { findSoundLags, startSyncReader } from './sync-reader.ts';

/** Rows of the table. */
const spans = 6;
/** The usual frame rate; the delay of a picture varies by a frame. */
const fps = 30;

/** Whether sound and picture of a captured screen stay together over a long broadcast, and whether memory grows. */
export async function measureDrift({ minutes }: { minutes: number }): Promise<Measurement> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg.kind === 'missing') throw new Error(describeMissingFfmpeg(ffmpeg.reason));
  await using broadcast = await startScreenBroadcast({ fps });
  await using reader = startSyncReader(ffmpeg.path, broadcast.playbackUrl);
  await using listener = startBeepListener(ffmpeg.path, broadcast.stage);
  const { pid } = broadcast.host;
  const rows: (string | number)[][] = [];
  const spanMinutes = minutes / spans;
  let seen = 0;
  let heard = 0;
  for (let span = 0; span < spans; span += 1) {
    await sleep(spanMinutes * 60_000);
    const lagsMs = findSoundLags(reader).map(({ lagMs }) => lagMs);
    const newMs = lagsMs.slice(seen);
    seen = lagsMs.length;
    const stageMs = listener.heardAtMs.slice(heard).map(sinceSecond);
    heard = listener.heardAtMs.length;
    if (newMs.length === 0 || stageMs.length === 0) throw new Error('No beep was heard for a whole span.');
    const stageLagMs = median(stageMs);
    const driftsMs = newMs.map((lagMs) => sinceSecond(lagMs - stageLagMs));
    const children = await findFfmpegs(pid);
    rows.push([
      `${(span * spanMinutes).toFixed(1)} to ${((span + 1) * spanMinutes).toFixed(1)} min`,
      newMs.length,
      stageLagMs,
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
      { name: 'late on the computer', unit: 'ms' },
      { name: 'sound behind picture, median', unit: 'ms' },
      { name: 'least', unit: 'ms' },
      { name: 'most', unit: 'ms' },
      { name: 'service', unit: 'MiB' },
      { name: 'its ffmpegs', unit: 'MiB' },
    ],
    rows,
    notes: [
      'A clock is on the screen and a beep begins with each second of it; both are found again in what is played.',
      'How late a beep is on the computer itself is measured beside it, and is not part of how far its sound is behind its picture.',
    ],
  };
}

/** How far a time is from the nearest whole second, in ms: −500 to 500. */
function sinceSecond(ms: number): number {
  return ((((ms + 500) % 1000) + 1000) % 1000) - 500;
}
