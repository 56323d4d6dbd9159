import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { createLadderStream } from '../support/ladder-stream.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { startTestService } from '../support/test-service.ts';

let stage: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  stage = await startTestService();
});
afterAll(() => stage.close());

test('a rendition can be removed and added back while on air, without affecting the others', async () => {
  const stream = await createLadderStream(stage, 'Fewer');
  const choose = (...names: string[]) => stage.app.broadcast.setRenditions({ streamId: stream.id, names });
  const read = async (rendition: string) => readPlaylist(await stream.playlist(rendition));
  await expect(choose('144p')).rejects.toMatchObject({ code: 'OFF_AIR' });
  await using publisher = startFfmpegPublisher(stream.publishUrl, { seconds: 120 });
  await stream.complete();
  await expect(choose('4320p')).rejects.toMatchObject({ code: 'INVALID_INPUT' });

  await choose('144p');
  const fewer = await stream.watch(({ renditions }) => renditions[0]?.name === undefined);
  expect(fewer.renditions[0]?.state).toBe('left-out');
  expect(fewer.renditions[1]).toMatchObject({ name: '144p' });
  expect(fewer.log.map(({ event }) => event)).toContainEqual({
    code: 'ladder',
    event: { code: 'left-out', severity: 'good', names: ['180p'] },
  });
  expect(fewer.stages.find(({ stage: name }) => name === 'transcode')?.severity).toBe('good');
  expect(await stream.offered()).toEqual(['source/index.m3u8', '144p/index.m3u8']);
  await expect.poll(async () => (await read('180p')).segments.at(-1)?.gap, { timeout: 20_000 }).toBe(true);
  const asked = performance.now();
  const next = (await read('180p')).mediaSequence + (await read('180p')).segments.length;
  const reload = readPlaylist(await (await fetch(`${stream.mediaUrl('180p')}?_HLS_msn=${next}`)).text());
  expect(reload.segments.at(-1)?.msn).toBeGreaterThanOrEqual(next);
  expect(reload.ended).toBe(false);
  expect(performance.now() - asked).toBeLessThan(6_000);

  await choose('180p', '144p');
  const whole = await stream.complete();
  expect(whole.renditions.map(({ state }) => state)).toEqual(['running', 'running']);
  await publisher.quit();
  await stream.over();
  const [source, high, low] = await Promise.all(['source', '180p', '144p'].map(read));
  for (const playlist of [high, low]) {
    expect(playlist?.segments.map(({ msn }) => msn)).toEqual(source?.segments.map(({ msn }) => msn));
    expect(playlist?.ended).toBe(true);
  }
  expect(source?.segments.filter(({ gap }) => gap)).toEqual([]);
  expect(low?.segments.filter(({ gap }) => gap)).toEqual([]);
  const missed = high?.segments.filter(({ gap }) => gap).map(({ msn }) => msn) ?? [];
  expect(missed.length).toBeGreaterThan(0);
  expect(missed).toEqual(missed.map((_, index) => (missed[0] ?? 0) + index));
  expect(high?.segments.at(-1)?.gap).toBe(false);
}, 90_000);
