import { formatFlvHeader, formatFlvTag } from '../flv/flv-file.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import type { SoundFrame } from '../health/sound-frame.ts';
import { type AudioUnit, audioMs } from '../media/media-unit.ts';
import type { AudioConfig } from '../media/track-config.ts';
import type { FfmpegEnd, FfmpegProcess } from '../media-tools/ffmpeg-process.ts';
import { startMeterProcess } from './meter-process.ts';

export interface MeterRunOptions {
  ffmpegPath: string;
  config: AudioConfig;
  onFrame: (frame: SoundFrame) => void;
}

/** One ffmpeg that measures audio of one configuration. Single use. */
export class MeterRun {
  /** Resolves, never rejects, when ffmpeg has ended. */
  readonly ended: Promise<FfmpegEnd>;
  readonly #process: FfmpegProcess;
  #piece: Buffer[];
  #pieceMs = 0;
  #fedMs = 0;

  constructor({ ffmpegPath, config, onFrame }: MeterRunOptions) {
    this.#process = startMeterProcess(ffmpegPath, 'flv', onFrame);
    this.ended = this.#process.ended;
    const header = formatUnitTag({ type: 'config', timescale: 1000, dts: 0, config });
    this.#piece = [formatFlvHeader({ hasAudio: true, hasVideo: false }), formatFlvTag(header)];
  }

  /**
   * Takes the next frame of audio, which goes to ffmpeg in pieces of `pieceMs`: each wakes both processes, which costs more than
   * measuring it.
   *
   * @throws {MediaFormatError} if it is no frame
   */
  push(unit: AudioUnit, pieceMs: number): void {
    const durationMs = audioMs(unit);
    // The filters count samples, so times only have to rise, whatever the publisher's do.
    this.#piece.push(formatFlvTag(formatUnitTag({ ...unit, timescale: 1000, dts: this.#fedMs })));
    this.#fedMs += durationMs;
    this.#pieceMs += durationMs;
    if (this.#pieceMs < pieceMs) return;
    this.#process.input.write(Buffer.concat(this.#piece));
    this.#piece = [];
    this.#pieceMs = 0;
  }

  /** Ends ffmpeg at once. */
  kill(): void {
    this.#process.kill();
  }
}
