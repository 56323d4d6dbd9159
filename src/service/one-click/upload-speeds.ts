import { z } from 'zod';
import type { MeasuredUpload } from '../../shared/model/encode-settings.ts';
import type { KeptRecord } from '../store/kept-record.ts';

/** A bitrate in bit/s, and when it was last seen, in epoch milliseconds. */
const SeenRate = z.object({ bps: z.number(), at: z.number() });
type SeenRate = z.infer<typeof SeenRate>;

/** The notes of ten minutes, summed up. */
const Stretch = z.object({
  since: z.number(),
  notes: z.int(),
  /** How many of them were held back, and when the last one was. */
  heldBack: z.int(),
  heldBackAt: z.number(),
  /** The most that went through. */
  mostBps: z.number(),
});
type Stretch = z.infer<typeof Stretch>;

/** The measurements of the way to an ingest: from earlier stretches, and the newest one. */
const KnownWay = z.object({ carried: SeenRate, limit: SeenRate.optional(), stretch: Stretch });
type KnownWay = z.infer<typeof KnownWay>;

/** The measurements of the way to each ingest, by its host and port. */
export const SpeedRecord = z.record(z.string(), KnownWay);
type SpeedRecord = z.infer<typeof SpeedRecord>;

/** Networks change, so rates last seen before that are forgotten. */
const keptMs = 7 * 24 * 3600_000;
/** A limit last reached before that is of another day: a congested evening is over by then. */
const sameDayMs = 12 * 3600_000;
/** More ingests than anybody uses; the oldest are forgotten. */
const maxIngests = 32;
/** After one bad minute the bitrate needs minutes to recover; a shorter stretch would take the lowered bitrate for the limit. */
const stretchMs = 10 * 60_000;
/** Ten minutes of notes. They halve the distance to a lower limit. */
const halvingNotes = 60;
/** Fewer notes, less than a minute's, can't establish a limit. */
const leastNotes = 6;
/**
 * A rate that went through without being held back is taken for at most this share of the limit. It is less than the share that may be used
 * (`usableUploadBps`), so successive broadcasts that use that share find more and more room.
 */
const easyShare = 0.6;

/** The rate that went through in bit/s, over a second or more. `isHeldBack`: more would have been sent if the way had taken it. */
export interface CarriedRate {
  bps: number;
  isHeldBack: boolean;
}

/**
 * How fast ingests took our media, measured by our own uploads alone: nothing is sent to measure.
 *
 * A way's limit is the rate that went through in minutes that were mostly held back. It falls by half of the difference in ten such
 * minutes, and rises at once when more gets through. On another day, it counts for half of the way back to the most that went through that
 * week, until it holds a broadcast back again. A limit that wasn't reached for a week is forgotten.
 */
export class UploadSpeeds {
  readonly #record: KeptRecord<SpeedRecord>;
  readonly #now: () => number;

  /** @param now epoch milliseconds */
  constructor(record: KeptRecord<SpeedRecord>, now: () => number) {
    this.#record = record;
    this.#now = now;
  }

  /** The measured upload to an ingest; undefined if nothing was measured. */
  find(ingest: string): MeasuredUpload | undefined {
    const known = this.#record.get()[ingest];
    if (known === undefined) return undefined;
    const { carried, limit } = this.#forgetOld(settle(known));
    if (limit !== undefined) {
      const { bps: carriedBps } = carried ?? limit;
      const isOfToday = isWithin(sameDayMs, limit.at, this.#now());
      const limitBps = isOfToday ? limit.bps : Math.max(limit.bps, (limit.bps + carriedBps) / 2);
      return { carriedBps, limitBps, measuredAt: limit.at };
    }
    return carried && { carriedBps: carried.bps, measuredAt: carried.at };
  }

  /** Notes the total rate of the uploads to an ingest; call it every 10 s. */
  note(ingest: string, { bps, isHeldBack }: CarriedRate): void {
    const now = this.#now();
    const all = this.#record.get();
    const before = all[ingest];
    const isContinued = before !== undefined && isWithin(stretchMs, before.stretch.since, now);
    const earlier = before && this.#forgetOld(isContinued ? before : settle(before));
    const { carried, limit } = earlier ?? {};
    const stretch = isContinued ? before.stretch : { since: now, notes: 0, heldBack: 0, heldBackAt: now, mostBps: 0 };
    const known: KnownWay = {
      carried: carried === undefined || bps >= carried.bps ? { bps, at: now } : carried,
      ...(limit && { limit }),
      stretch: {
        since: stretch.since,
        notes: stretch.notes + 1,
        heldBack: stretch.heldBack + (isHeldBack ? 1 : 0),
        heldBackAt: isHeldBack ? now : stretch.heldBackAt,
        mostBps: Math.max(stretch.mostBps, bps),
      },
    };
    const others = Object.entries(all).filter(([name]) => name !== ingest);
    const kept = others.toSorted(([, one], [, other]) => other.stretch.since - one.stretch.since).slice(0, maxIngests - 1);
    this.#record.set({ ...Object.fromEntries(kept), [ingest]: known });
  }

  #forgetOld({ carried, limit }: Omit<KnownWay, 'stretch'>): { carried: SeenRate | undefined; limit: SeenRate | undefined } {
    const keep = (rate: SeenRate | undefined) => (rate && isWithin(keptMs, rate.at, this.#now()) ? rate : undefined);
    return { carried: keep(carried), limit: keep(limit) };
  }
}

/** Whether a moment is less than `ms` in the past or the future: the clock may have been set back since it was noted. */
function isWithin(ms: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < ms;
}

/** The measurements including the newest stretch. */
function settle({ carried, limit, stretch }: KnownWay): Omit<KnownWay, 'stretch'> {
  const { mostBps, notes, heldBack, heldBackAt } = stretch;
  const isLimited = notes >= leastNotes && heldBack * 2 > notes;
  if (isLimited) {
    // Held back at about the same rate on another day, the way has become narrow: what went through before no longer counts.
    const isConfirmed = limit !== undefined && !isWithin(sameDayMs, limit.at, heldBackAt) && mostBps >= limit.bps * easyShare;
    return {
      carried: isConfirmed ? { bps: mostBps, at: heldBackAt } : carried,
      limit: { bps: moveLimit(limit?.bps ?? carried.bps, stretch), at: heldBackAt },
    };
  }
  if (limit === undefined) return { carried };
  const leastBps = notes < leastNotes ? mostBps : mostBps / easyShare;
  return { carried, limit: { ...limit, bps: Math.max(limit.bps, leastBps) } };
}

/** A limit that was exceeded wasn't one; a lower one is approached. */
function moveLimit(knownBps: number, { mostBps, notes }: Stretch): number {
  return mostBps >= knownBps ? mostBps : mostBps + (knownBps - mostBps) * 0.5 ** (notes / halvingNotes);
}
