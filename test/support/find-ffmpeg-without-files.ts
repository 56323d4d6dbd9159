import { findFfmpeg } from '../../src/service/media-tools/find-ffmpeg.ts';
import { withoutFiles } from './without-files.ts';

// Looks for ffmpeg without free file descriptors, and prints the outcome.
console.log(JSON.stringify(await withoutFiles(() => findFfmpeg({ findFfmpegStatic: () => undefined }))));
