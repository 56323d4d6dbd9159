import { expect, test } from 'vitest';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a warning raised while no page was open is listed in What happened', async () => {
  await using service = await startTestService();
  const { app, urls } = service;
  const { id: streamId } = await app.stream.create({ name: 'Without sound' });
  const { streamKey } = await app.stream.revealKey({ streamId });
  await using _publisher = startFfmpegPublisher(`${urls.ingestBaseUrl}/${streamKey}`, { args: ['-an'] });
  await expect
    .poll(async () => (await app.session.list({ streamId }))[0]?.sourceSegmentsDuration ?? 0, { timeout: 30_000 })
    .toBeGreaterThan(8);
  const { log } = await waitUntil(await app.stream.watch({ streamId }), () => true);
  expect(log.map(({ event }) => event)).toContainEqual({
    code: 'trouble-began',
    verdict: { code: 'never-sound', severity: 'warn', from: 'encoder' },
  });
}, 60_000);
