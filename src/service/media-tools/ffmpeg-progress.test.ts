import { expect, test } from 'vitest';
import { FfmpegProgressReader } from './ffmpeg-progress.ts';

test('blocks are complete however the text is split, and N/A is undefined', () => {
  const text = [
    'frame=0\nfps=0.00\nstream_0_0_q=0.0\nbitrate=N/A\ntotal_size=N/A\nout_time_us=N/A\nout_time_ms=N/A\nspeed=N/A\nprogress=continue\n',
    'frame=45\nfps=30.10\nstream_0_0_q=23.0\nbitrate=3012.4kbits/s\nout_time_us=1500000\nout_time_ms=1500000\nspeed=   1x\nprogress=continue\n',
    'frame=60\nfps=29.9\nout_time_us=2000000\nspeed=0.997x\nprogress=end\n',
  ].join('');
  const expected = [
    { frame: 0, outTimeSeconds: undefined },
    { frame: 45, outTimeSeconds: 1.5 },
    { frame: 60, outTimeSeconds: 2 },
  ];
  for (const size of [1, 7, 100, text.length]) {
    const reader = new FfmpegProgressReader();
    const blocks = [];
    for (let at = 0; at < text.length; at += size) blocks.push(...reader.push(text.slice(at, at + size)));
    expect(blocks).toEqual(expected);
  }
});
