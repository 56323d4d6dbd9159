import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import { KeptMeter } from '../audio-meter/kept-meter.ts';
import { startMeterProcess } from '../audio-meter/meter-process.ts';
import type { Clock } from '../ports.ts';
import type { Feed } from './feed.ts';

export interface PreviewMeterOptions {
  /** A feed that has started. */
  feed: Pick<Feed, 'tap'>;
  ffmpegPath: string;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Called after each new measurement. */
  onMeasured: () => void;
}

/** Measures the mix of a feed that is only listened to, with the ffmpeg and the filters that measure broadcasts. */
export class PreviewMeter {
  readonly #kept: KeptMeter<{ ended: Promise<unknown>; kill: () => void }>;

  constructor({ feed, ffmpegPath, clock, onMeasured }: PreviewMeterOptions) {
    this.#kept = new KeptMeter({
      clock,
      startRun: (onFrame) => {
        const { input, ended, kill } = startMeterProcess(ffmpegPath, 'matroska', onFrame);
        const tap = feed.tap({ tracks: { video: false, audio: true }, input });
        return { ended: ended.finally(() => tap.close()), kill };
      },
      onFrame: onMeasured,
    });
  }

  /** The mix's current loudness, or why it is unknown; undefined before the first measurement. */
  read(): AudioMeter | undefined {
    return this.#kept.read();
  }

  /** Notes that the feed has given out this much more sound, in milliseconds. */
  noteFed(durationMs: number): void {
    this.#kept.noteFed(durationMs);
  }

  /** Ends it; resolves when its ffmpeg has ended. */
  close(): Promise<void> {
    return this.#kept.close();
  }
}
