import { expect, test } from 'vitest';
import type { SoundFrame } from '../health/sound-frame.ts';
import { MeterLineReader } from './meter-line-reader.ts';

/** The lines that ffmpeg 5.1 and 9 write for 0.1 s. */
const formatLines = (time: string, loudness: string, phase: string) => [
  `[Parsed_ebur128_0 @ 0x561839bd57c0] t: ${time}  TARGET:-23 LUFS    ${loudness}`,
  '[Parsed_ametadata_2 @ 0x561839c22ac0] frame:0    pts:0       pts_time:0',
  `[Parsed_ametadata_2 @ 0x561839c22ac0] lavfi.aphasemeter.phase=${phase}`,
];

function read(lines: readonly string[]) {
  const frames: SoundFrame[] = [];
  const reader = new MeterLineReader((frame) => frames.push(frame));
  return { others: lines.filter((line) => !reader.read(line)), frames };
}

const warmUp = (count: number) =>
  Array.from({ length: count }, () =>
    formatLines(
      '0.0999792',
      'M:-120.7 S:-120.7     I: -70.0 LUFS       LRA:   0.0 LU  FTPK:  -9.2  -9.0 dBFS  TPK:   0.8   0.8 dBFS',
      '0.5',
    ),
  ).flat();

test('the peaks are those of 0.1 s, and loudness is known once its window is full', () => {
  const lines = [...warmUp(3), ...warmUp(1), ...warmUp(25), ...warmUp(1)];
  const { frames, others } = read(lines);
  expect(others).toEqual([]);
  const known = frames.map(({ momentaryLufs, shortTermLufs }) => [momentaryLufs !== undefined, shortTermLufs !== undefined]);
  expect(known).toEqual([...Array(3).fill([false, false]), ...Array(26).fill([true, false]), [true, true]]);
  expect(frames[0]).toEqual({ momentaryLufs: undefined, shortTermLufs: undefined, truePeaksDbtp: [-9.2, -9], phase: 0.5 });
});

test.each<[string, string, string, Omit<SoundFrame, 'shortTermLufs'>]>([
  [
    'stereo',
    'M: -18.1 S: -18.2     I: -18.1 LUFS       LRA:   0.2 LU  FTPK:  -9.4 -10.7 dBFS  TPK:  -6.7  -6.8 dBFS',
    '-0.168848',
    { momentaryLufs: -18.1, truePeaksDbtp: [-9.4, -10.7], phase: -0.168848 },
  ],
  [
    'mono, over full scale',
    'M:  -0.9 S:-120.7     I:  -0.9 LUFS       LRA:   0.0 LU  FTPK:   0.8 dBFS  TPK:   0.8 dBFS',
    '1.000000',
    { momentaryLufs: -0.9, truePeaksDbtp: [0.8], phase: 1 },
  ],
  [
    'digital silence on one side',
    'M: -23.5 S: -23.5     I: -23.5 LUFS       LRA:   0.0 LU  FTPK:  -inf -15.4 dBFS  TPK:  -inf -15.4 dBFS',
    '0.000000',
    { momentaryLufs: -23.5, truePeaksDbtp: [-120, -15.4], phase: 0 },
  ],
  [
    'silence',
    'M:-163.5 S:-163.5     I: -70.0 LUFS       LRA:   0.0 LU  FTPK:  -inf  -inf dBFS  TPK:  -inf  -inf dBFS',
    '1.000000',
    { momentaryLufs: -120, truePeaksDbtp: [-120, -120], phase: 1 },
  ],
])('%s', (_name, loudness, phase, frame) => {
  const { frames, others } = read([...warmUp(5), ...formatLines('44.8', loudness, phase)]);
  expect(others).toEqual([]);
  expect(frames.at(-1)).toEqual({ ...frame, shortTermLufs: undefined });
});

test('other lines of ffmpeg are left to others', () => {
  const lines = [
    "Input #0, flv, from 'pipe:0':",
    '[Parsed_ebur128_0 @ 0x561839bd57c0] Summary:',
    '    I:         -18.1 LUFS',
    '[aac @ 0x55d0] Number of bands (31) exceeds limit (4).',
    'Press [q] to stop, [?] for help',
    '',
  ];
  expect(read(lines)).toEqual({ others: lines, frames: [] });
});
