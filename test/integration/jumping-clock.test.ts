import { expect, test } from 'vitest';
import { capturePictureArgs, withoutJumps } from '../../src/service/capture/capture-run.ts';
import { runToEnd } from '../../src/service/lib/run-to-end.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';

const [width, height, fps] = [64, 36, 10];

test.each([
  ['jumps ahead by ten minutes, as after a sleep', '+gte(N,10)*600/TB'],
  ['is set back by six seconds', '-gte(N,10)*6/TB'],
  ['jumps ahead by six seconds and back', '+gte(N,5)*lt(N,10)*6/TB'],
  ['runs evenly', ''],
])('a device whose clock %s gives as many pictures as it captured', async (_what, jump) => {
  const clock = `color=red:size=${width}x${height}:rate=${fps},trim=end_frame=20,setpts='PTS+100/TB${jump}'`;
  for (const ffmpegPath of [(await getFfmpeg()).path, getNewerFfmpeg()]) {
    const args = capturePictureArgs(['-f', 'lavfi', '-i', clock], { width, height, fps }, { filters: [withoutJumps] });
    const { stdout } = await runToEnd(ffmpegPath, args, { timeoutMs: 20_000 });
    expect(stdout.length / (width * height * 1.5)).toBe(20);
  }
});
