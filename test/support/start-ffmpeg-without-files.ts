import { closeSync, openSync } from 'node:fs';
import { startFfmpeg } from '../../src/service/media-tools/ffmpeg-process.ts';

// Uses up all but a few of this process's file descriptors, starts ffmpeg, and prints how it ended.
const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  for (const file of taken.splice(-2)) closeSync(file);
}
const ffmpeg = startFfmpeg('ffmpeg', ['-version'], { onOutput: [() => {}], onProgress: () => {} });
ffmpeg.input.write('what is sent to it is lost');
ffmpeg.kill();
const end = await ffmpeg.finish();
for (const file of taken) closeSync(file);
console.log(JSON.stringify({ pid: ffmpeg.pid, ...end }));
