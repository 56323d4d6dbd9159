import { beforeAll, expect, test } from 'vitest';
import type { PlacedUnit } from '../../src/service/media/media-unit.ts';
import { defaultLadderBounds } from '../../src/service/transcode/ladder-bounds.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { findFfmpeg, findFfmpegs } from '../support/find-processes.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { lastShownMs, makeTwelveSeconds, outAt, pushBetween, startSupervised } from '../support/supervised-ladder.ts';
import { shownFrames } from '../support/transcode-stand.ts';

let source: PlacedUnit[];
beforeAll(async () => {
  source = await makeTwelveSeconds();
});

test('the end of a broadcast waits for an ffmpeg without output no longer than the bound', async () => {
  const stand = await startSupervised({ bounds: { drainMs: 100 } });
  pushBetween(stand, source, 0, 1_000);
  await outAt(stand, 960);
  signalProcess(await findFfmpeg(), 'SIGSTOP');
  pushBetween(stand, source, 1_000, 6_000);
  await stand.ladder.drain();
  expect(await findFfmpegs(process.pid)).toEqual([]);
  for (const rendition of stand.renditions) expect(lastShownMs(rendition)).toBe(960);
});

test('a ladder closed immediately leaves nothing running, and may be closed twice', async () => {
  const stand = await startSupervised();
  pushBetween(stand, source, 0, 3_000);
  await Promise.all([stand.ladder.close(), stand.ladder.close()]);
  expect(await findFfmpegs(process.pid)).toEqual([]);
});

test('the end of a broadcast waits for an ffmpeg some seconds behind, and nothing is lost', async () => {
  const { drainMs } = defaultLadderBounds;
  const stand = await startSupervised({ ffmpegPath: await makeOddFfmpeg('sleep 4'), bounds: { drainMs } });
  pushBetween(stand, source, 0, 1_000);
  await stand.ladder.drain();
  for (const rendition of stand.renditions) expect(shownFrames(rendition)).toHaveLength(25);
});

test('a closing service waits less long for it, whether it was already waiting or not', async () => {
  const closing = new AbortController();
  const start = async () => {
    const stand = await startSupervised({ closing: closing.signal, bounds: { drainMs: 600_000, closeMs: 100 } });
    pushBetween(stand, source, 0, 1_000);
    await outAt(stand, 960);
    signalProcess(await findFfmpeg(), 'SIGSTOP');
    pushBetween(stand, source, 1_000, 2_000);
    return stand;
  };
  const first = await start();
  const drained = first.ladder.drain();
  closing.abort();
  await drained;
  expect(await findFfmpegs(process.pid)).toEqual([]);
  const second = await start();
  await second.ladder.drain();
  expect(await findFfmpegs(process.pid)).toEqual([]);
});
