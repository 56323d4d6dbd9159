import { expect, it } from 'vitest';
import { encodeFlv } from '../support/ffmpeg.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { playWithVlc } from '../support/vlc.ts';

it('VLC plays every frame of the source to the end, and its sound', async () => {
  await using stand = await startPlaybackStand();
  const tags = await encodeFlv([
    ...[
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=320x180:rate=30:duration=8',
      '-f',
      'lavfi',
      '-i',
      'sine=sample_rate=48000:duration=8',
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30', '-bf', '2', '-c:a', 'aac'],
  ]);
  const packager = stand.createPackager({ targetSegmentSeconds: 1 });
  for (const tag of tags) packager.push(tag);
  packager.end();
  stand.end();
  const pictures = await playWithVlc('video', stand.mediaUrl);
  expect(pictures).toHaveLength(240);
  const distances = pictures.slice(1).map((time, index) => time - (pictures[index] ?? 0));
  expect(Math.max(...distances)).toBeLessThan(0.0345);
  const sound = await playWithVlc('audio', stand.mediaUrl);
  expect((sound.at(-1) ?? 0) - (sound[0] ?? 0)).toBeGreaterThan(7.8);
});
