import { lowestLevel } from '../../shared/model/audio-meter.ts';
import type { SoundFrame } from '../health/sound-frame.ts';

/** ffmpeg reports no momentary loudness before its window is full, after this many frames of 0.1 s. */
const momentaryFrames = 4;
const shortTermFrames = 30;

const level = String.raw`(-?(?:[\d.]+|inf|nan))`;
const loudnessLine = new RegExp(String.raw`ebur128_\d+ @ .*\bM: *${level} S: *${level} .*\bFTPK:((?: *${level})+) dBFS`);
const phaseLine = / lavfi\.aphasemeter\.phase=(-?[\d.]+)$/;
const frameLine = /ametadata_\d+ @ \S+ frame:/;

/**
 * Reads the measurements that the filters of `meterArgs` log: for each 0.1 s of audio a line of `ebur128`, which has its true
 * peaks (`FTPK`; the peaks in the filter's metadata cover everything since the start), then its phase.
 */
export class MeterLineReader {
  readonly #onFrame: (frame: SoundFrame) => void;
  #frames = 0;
  #frame: Omit<SoundFrame, 'phase'> | undefined;

  constructor(onFrame: (frame: SoundFrame) => void) {
    this.#onFrame = onFrame;
  }

  /** Takes the next line; returns whether it is one of the meter's. */
  read(line: string): boolean {
    const [, momentary, shortTerm, peaks] = loudnessLine.exec(line) ?? [];
    if (momentary !== undefined && shortTerm !== undefined && peaks !== undefined) {
      this.#frames += 1;
      this.#frame = {
        momentaryLufs: this.#frames < momentaryFrames ? undefined : parseLevel(momentary),
        shortTermLufs: this.#frames < shortTermFrames ? undefined : parseLevel(shortTerm),
        truePeaksDbtp: peaks.trim().split(/ +/).map(parseLevel),
      };
      return true;
    }
    const phase = phaseLine.exec(line)?.[1];
    if (phase === undefined) return frameLine.test(line);
    if (this.#frame) this.#onFrame({ ...this.#frame, phase: Number(phase) });
    this.#frame = undefined;
    return true;
  }
}

/** `-inf` and `nan` are digital silence. */
function parseLevel(text: string): number {
  const parsed = Number(text);
  return Number.isFinite(parsed) ? Math.max(parsed, lowestLevel) : lowestLevel;
}
