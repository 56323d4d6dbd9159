import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import type { Source } from '../../src/shared/model/source.ts';
import { fetchRendition } from '../support/fetch-rendition.ts';
import { measureTone, readPictures, runFfmpeg } from '../support/ffmpeg.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Slow, small and cheap. */
const encode = { kind: 'by-hand', settings: { ...encodePresets['720p30'], fps: 10, videoBitrateBps: 1_000_000 } } as const;
/** `readPictures` reduces pictures to this size: a fortieth of the width is a pixel. */
const map = { width: 32, height: 18 };

let stage: Awaited<ReturnType<typeof startTestService>>;
let files: Record<'black' | 'white' | 'low' | 'high', string>;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'composed-'));
  const make = async (name: string, ...args: string[]) => {
    const path = join(folder, name);
    const { exitCode, stderr } = await runFfmpeg(['-v', 'error', '-f', 'lavfi', ...args, path]);
    if (exitCode !== 0) throw new Error(stderr);
    return path;
  };
  // Longer than any broadcast here: a busy computer may be late with the next round of a short one.
  const tone = (hz: number) => ['-i', `sine=frequency=${hz}:sample_rate=48000,volume=8dB`, '-t', '120'];
  const still = (color: string) => ['-i', `color=${color}:size=320x180`, '-frames:v', '1'];
  const [black, white, low, high] = await Promise.all([
    make('black.png', ...still('black')),
    make('white.png', ...still('white')),
    make('low.wav', ...tone(400)),
    make('high.wav', ...tone(1_000)),
  ]);
  files = { black, white, low, high };
  stage = await startTestService();
});
afterAll(() => stage.close());

/** Goes live with a source for some segments, and returns what viewers got in the end: a map of a picture, and the tones' levels. */
async function broadcast(name: string, source: Source) {
  const { app, urls } = stage;
  const { id: streamId, playbackId } = await app.stream.create({ name });
  await app.broadcast.goLive({ streamId, source, encode });
  const reach = async (segments: number) =>
    waitUntil(await app.stream.watch({ streamId }), ({ session }) => (session?.sourceSegments ?? 0) >= segments);
  // On a busy computer the broadcast begins before its files do.
  await waitUntil(
    await app.stream.watchAudio({ streamId }),
    ({ meter }) => meter?.kind === 'measured' && meter.momentaryLufs > -40,
  );
  const { session } = await reach(0);
  const live = await reach((session?.sourceSegments ?? 0) + 5);
  expect(live.oneClick).toMatchObject({ kind: 'running', away: [] });
  const { runs } = await fetchRendition(`${urls.playbackBaseUrl}/${playbackId}/source/index.m3u8`);
  await app.broadcast.stop({ streamId });
  const bytes = runs[0]?.bytes ?? Buffer.alloc(0);
  const picture = Buffer.from((await readPictures(bytes)).at(-1)?.hash ?? '', 'base64');
  expect(picture).toHaveLength(map.width * map.height);
  const rows = Array.from({ length: map.height }, (_, row) => [...picture.subarray(row * map.width, (row + 1) * map.width)]);
  const shown = rows.map((row) => row.map((value) => (value < 60 ? '.' : value > 190 ? '#' : '+')).join(''));
  return { shown, low: await measureTone(bytes, 400), high: await measureTone(bytes, 1_000) };
}

const input = (path: string, levelDb: number, isMuted = false) => ({
  of: { kind: 'files' as const, paths: [path], loops: true },
  levelDb,
  isMuted,
});

test('a picture in the corner of another one is where it was put, and sounds are mixed, each at its level', async () => {
  const { shown, low, high } = await broadcast('Corner', {
    picture: {
      main: { kind: 'still', path: files.black },
      inset: { of: { kind: 'still', path: files.white }, corner: 'bottom-right', share: 0.25 },
    },
    sound: { inputs: [input(files.low, -6), input(files.high, -12)], limits: false },
  });
  // A quarter of the width, a fortieth of it from the edges.
  const isInside = (row: number, column: number) => row >= 13 && row <= 16 && column >= 24 && column <= 30;
  const isEdge = (row: number, column: number) => !isInside(row, column) && row >= 12 && row <= 17 && column >= 22;
  for (const [row, line] of shown.entries())
    for (const [column, value] of [...line].entries())
      if (!isEdge(row, column))
        expect(`${row},${column} ${value}`).toBe(`${row},${column} ${isInside(row, column) ? '#' : '.'}`);
  expect(low - high).toBeCloseTo(6, 0);
  expect(high).toBeGreaterThan(-40);
});

test('a still picture with music: the picture stays, the music is heard, and what is muted is not', async () => {
  const { shown, low, high } = await broadcast('Still', {
    picture: { main: { kind: 'still', path: files.white } },
    sound: { inputs: [input(files.low, 0, true), input(files.high, 0)], limits: false },
  });
  expect(shown).toEqual(Array.from({ length: map.height }, () => '#'.repeat(map.width)));
  expect(high - low).toBeGreaterThan(40);
});
