import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Feed } from '../../src/service/capture/feed.ts';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { Source } from '../../src/shared/model/source.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { isLate } from '../support/is-late.ts';
import { noCaptures } from '../support/no-captures.ts';

test('files that have ended play again when they are chosen again, and not when something else about the source is changed', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'again-')), 'white.mkv');
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=white:size=64x36:rate=25', '-t', '1', '-c:v', 'mpeg4', path]);
  const once = (limits: boolean): Source => ({
    picture: { main: { kind: 'files', paths: [path], loops: false } },
    sound: { inputs: [], limits },
  });
  const { path: ffmpegPath } = await getFfmpeg();
  const feed = new Feed({
    source: once(false),
    format: { width: 32, height: 18, fps: 10 },
    gopFrames: 1,
    tools: {
      ...noCaptures,
      ffmpegPath,
      deviceFfmpegs: { paths: new Map(), installCommand: undefined },
      clockFontPath: undefined,
    },
    clock: createSystemClock(),
  });
  onTestFinished(() => feed.close());
  const told: string[] = [];
  const note = () => {
    const fault = feed.away[0]?.fault;
    const what = fault?.code ?? 'plays';
    if (!isLate(fault) && what !== told.at(-1)) told.push(what);
  };
  feed.awayChanges.on(note);
  await feed.start();
  note();
  await expect.poll(() => told).toEqual(['plays', 'ended']);
  expect(await feed.change(once(true))).toBe(true);
  expect(told).toEqual(['plays', 'ended']);
  expect(await feed.change(once(true))).toBe(true);
  await expect.poll(() => told).toEqual(['plays', 'ended', 'plays', 'ended']);
});
