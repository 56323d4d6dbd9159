import { expect, test } from 'vitest';
import { parsePictureSize } from './picture-size.ts';

test('the size and rate of the first video are read from what ffmpeg says of a file', () => {
  const audio = '  Stream #0:1[0x2](und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, stereo, fltp, 160 kb/s (default)';
  const lines = [
    '  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709), 1920x1080 [SAR 1:1 DAR 16:9], 4504 kb/s, 29.97 fps, 29.97 tbr, 30k tbn (default)',
    '  Stream #0:0: Video: mjpeg (Baseline), yuvj420p(pc, bt470bg/unknown/unknown), 640x360, 25 fps, 25 tbr, 25 tbn',
    '  Stream #0:0: Video: png, rgba(pc), 800x600 [SAR 1:1 DAR 4:3]',
  ];
  expect(lines.map((line) => parsePictureSize(`${audio}\n${line}\n`))).toEqual([
    { width: 1920, height: 1080, fps: 29.97 },
    { width: 640, height: 360, fps: 25 },
    { width: 800, height: 600, fps: undefined },
  ]);
  expect(parsePictureSize(`${audio}\nAt least one output file must be specified`)).toBeUndefined();
});
