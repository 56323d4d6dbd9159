import { z } from 'zod';
import { MeasuredUpload } from '../../shared/model/encode-settings.ts';
import type { KeptRecord } from '../store/kept-record.ts';

/** What is known of the way to each ingest, by its host and port. */
export const SpeedRecord = z.record(z.string(), MeasuredUpload);
type SpeedRecord = z.infer<typeof SpeedRecord>;

/** Networks change: older measurements are ignored. */
const keptMs = 7 * 24 * 3600_000;
/** More ingests than anybody uses; the oldest are forgotten. */
const maxIngests = 32;
/** How far a lower measured limit pulls the known one down. A single bad minute must not decide for all later broadcasts. */
const lowerWeight = 0.5;

/** What went through: bits per second over a second or more. `isLimit`: more was waiting all the time. */
export interface CarriedRate {
  bps: number;
  isLimit: boolean;
}

/**
 * How fast ingests took what we sent them, from our own uploads alone: nothing is sent to measure. While nothing waits, the way
 * carries at least what was sent; only while something waits, what it takes is its limit.
 */
export class UploadSpeeds {
  readonly #record: KeptRecord<SpeedRecord>;
  readonly #now: () => number;

  /** @param now epoch milliseconds */
  constructor(record: KeptRecord<SpeedRecord>, now: () => number) {
    this.#record = record;
    this.#now = now;
  }

  /** What is known of the way to an ingest. */
  find(ingest: string): MeasuredUpload | undefined {
    const found = this.#record.get()[ingest];
    return found !== undefined && this.#now() - found.measuredAt < keptMs ? found : undefined;
  }

  note(ingest: string, { bps, isLimit }: CarriedRate): void {
    const known = this.find(ingest);
    const carriedBps = Math.max(known?.carriedBps ?? 0, bps);
    const measured = { carriedBps, measuredAt: this.#now() };
    const limitBps = isLimit ? this.#mergeLimit(known?.limitBps, bps) : raiseLimit(known?.limitBps, bps);
    const others = Object.entries(this.#record.get()).filter(([name]) => name !== ingest);
    const kept = others.toSorted(([, one], [, other]) => other.measuredAt - one.measuredAt).slice(0, maxIngests - 1);
    this.#record.set({
      ...Object.fromEntries(kept),
      [ingest]: limitBps === undefined ? measured : { ...measured, limitBps },
    });
  }

  #mergeLimit(known: number | undefined, bps: number): number {
    return known === undefined || bps >= known ? bps : known + (bps - known) * lowerWeight;
  }
}

/** A limit that was exceeded wasn't one. */
function raiseLimit(known: number | undefined, bps: number): number | undefined {
  return known === undefined || bps <= known ? known : bps;
}
