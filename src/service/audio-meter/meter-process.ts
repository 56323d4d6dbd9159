import type { SoundFrame } from '../health/sound-frame.ts';
import { type FfmpegProcess, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import { type MeterInput, meterArgs } from './meter-args.ts';
import { MeterLineReader } from './meter-line-reader.ts';

/** Starts an ffmpeg that measures the audio on its stdin, and calls `onFrame` with each 0.1 s of it. */
export function startMeterProcess(ffmpegPath: string, input: MeterInput, onFrame: (frame: SoundFrame) => void): FfmpegProcess {
  const reader = new MeterLineReader(onFrame);
  return startFfmpeg(ffmpegPath, meterArgs(input), {
    onOutput: [],
    onProgress: () => {},
    takeLogLine: (line) => reader.read(line),
  });
}
