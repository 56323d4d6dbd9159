import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { SourcePackager } from '../hls/source-packager.ts';
import type { CaptureStamp } from '../media/capture-stamp.ts';
import type { Arrival } from './arrival.ts';
import { CaptureClock } from './capture-clock.ts';
import { WallClockDrift } from './wall-clock-drift.ts';

type DatedPackager = Pick<SourcePackager, 'setClockOffset' | 'moveClock' | 'away'>;

/** Dates the segments of one publisher: by when it captured its media, if it says so credibly, else by when the media arrived. */
export class PublisherClock {
  readonly #capture = new CaptureClock();
  readonly #drift = new WallClockDrift();

  /** The publisher says when it captures, and did so lately. */
  isCapturing(now: number): boolean {
    return this.#capture.isRunning(now);
  }

  /** A frame says when it was captured. Returns whether that is credible: then segments are dated by it. */
  takeStamp(packager: DatedPackager, { stamp, shownMs }: { stamp: CaptureStamp; shownMs: number }, arrival: Arrival): boolean {
    const clockOffsetMs = this.#capture.read(stamp, shownMs, arrival);
    if (clockOffsetMs !== undefined) packager.setClockOffset(clockOffsetMs);
    return clockOffsetMs !== undefined;
  }

  /** A segment is whole; its last media came at `arrival`. Moves the next ones to the time of arrival, unless the capture dates them. */
  follow(packager: DatedPackager, { programDateTimeMs, durationSeconds }: PackagedSegment, { atMs, wallMs }: Arrival): void {
    // While we wait for video, the media is late and its publisher is not.
    if (packager.away === 'video' || this.#capture.isRunning(atMs)) return;
    const durationMs = durationSeconds * 1000;
    const endsAtMs = programDateTimeMs + durationMs;
    if (this.#capture.hasLapsed(atMs)) {
      packager.setClockOffset(undefined);
      packager.moveClock(Math.max(wallMs - endsAtMs, 0));
      return;
    }
    const correctionMs = this.#drift.correction({ endsAtMs, durationMs }, wallMs);
    if (correctionMs !== 0) packager.moveClock(correctionMs);
  }
}
