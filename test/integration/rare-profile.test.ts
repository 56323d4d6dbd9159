import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { createLadderStream } from '../support/ladder-stream.ts';
import { startTestService } from '../support/test-service.ts';

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test.concurrent.each([
  { name: '4:4:4', args: ['-pix_fmt', 'yuv444p'], profile: 'avc1.f4' },
  { name: '4:2:2', args: ['-pix_fmt', 'yuv422p'], profile: 'avc1.7a' },
  { name: '10 bits', args: ['-pix_fmt', 'yuv420p10le'], profile: 'avc1.6e' },
])('H.264 in $name is reported, since few players decode it', async ({ name, args, profile }) => {
  const stream = await createLadderStream(service, name, []);
  await using _publisher = startFfmpegPublisher(stream.publishUrl, { args });
  const live = await stream.watch(({ verdict }) => verdict?.code === 'profile-rare');
  expect(live.verdict).toEqual({ code: 'profile-rare', severity: 'bad' });
  expect(live.meters?.videoCodec?.slice(0, 7)).toBe(profile);
});

test.concurrent('renditions of H.264 in 4:4:4 play everywhere, so it is only a warning', async () => {
  const stream = await createLadderStream(service, 'With renditions');
  await using _publisher = startFfmpegPublisher(stream.publishUrl, { args: ['-pix_fmt', 'yuv444p'] });
  const live = await stream.watch(
    ({ verdict, renditions }) => verdict?.code === 'profile-rare' && renditions.some(({ state }) => state === 'running'),
  );
  expect(live.verdict).toEqual({ code: 'profile-rare', severity: 'warn' });
});
