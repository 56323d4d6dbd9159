import { startFfmpeg } from '../../src/service/media-tools/ffmpeg-process.ts';
import { withoutFiles } from './without-files.ts';

// Starts ffmpeg without free file descriptors, and prints how it ended.
const end = await withoutFiles(async () => {
  const ffmpeg = startFfmpeg('ffmpeg', ['-version'], { onOutput: [() => {}], onProgress: () => {} });
  ffmpeg.input.write('what is sent to it is lost');
  ffmpeg.kill();
  return { pid: ffmpeg.pid, ...(await ffmpeg.finish()) };
});
console.log(JSON.stringify(end));
