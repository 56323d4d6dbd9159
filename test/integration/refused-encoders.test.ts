import { expect, test } from 'vitest';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

test("a publisher with a wrong key, or a stream's old key, is reported to watchers of the stream while off air", async () => {
  await using host = await startTestService();
  const { app, urls } = host;
  const { id: streamId } = await app.stream.create({ name: 'Sunday show' });
  const { streamKey: oldKey } = await app.stream.revealKey({ streamId });
  await app.stream.renewKey({ streamId });
  const { streamKey } = await app.stream.revealKey({ streamId });
  const refused = { count: 1, address: '127.0.0.1', software: 'FFmpeg' };
  for (const [key, code] of [
    ['abcd-efgh-ijkl-mnop', 'wrong-key'],
    [oldKey, 'old-key'],
  ] as const) {
    const lives = await app.stream.watch({ streamId });
    await using encoder = startFfmpegPublisher(`${urls.ingestBaseUrl}/${key}`);
    expect((await encoder.ended).exitCode).not.toBe(0);
    const { refusals } = await waitUntil(lives, (live) => live.refusals.some((refusal) => refusal.reason.code === code));
    expect(refusals[0]).toMatchObject({ ...refused, reason: { code } });
    expect(JSON.stringify(refusals)).not.toContain(key);
  }
  // One with the right key clears the report.
  await using encoder = startFfmpegPublisher(`${urls.ingestBaseUrl}/${streamKey}`);
  const live = await waitUntil(await app.stream.watch({ streamId }), ({ stream }) => stream.air.kind === 'on-air');
  expect(live.refusals).toEqual([]);
  await encoder.quit();
});
