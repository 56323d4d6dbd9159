import type { WayMeasure } from '../publishing/media-publisher.ts';
import { SentMarks } from './sent-marks.ts';

/** A short wait is no queue: a keyframe is as large as many frames, and each GOP has one. */
const standingMs = 1_000;
/** With fewer samples than this, the least delay means nothing. */
const leastSamples = 3;
/**
 * The least delay within this time is the delay of the way without a queue. It isn't kept for longer, since routes may change.
 */
const baseMs = 15_000;
/** A delay that has been the same for this long is the way's, not a queue's: queues grow or shrink. */
const flatMs = 1_500;
const flatSpreadMs = 40;
/** Data is waiting if the delay exceeds the least by this much. */
const waitingMs = 100;
/** The carried rate is measured over this long at most, and at least. */
const rateMs = 2_000;
const leastRateMs = 200;
/** Media comes at least this often, or the encoder pauses. */
const longestGapMs = 200;
/** Peers may leave at least this much unacknowledged while nothing more comes: the window that we ask for. */
const leastHabitBytes = 16 * 1024;

interface Sample {
  atMs: number;
  delayMs: number;
  /** How much the peer had received. */
  ackedBytes: number;
}

/**
 * Measures the queue on the way to a peer from its acknowledgements. Our operating system takes seconds of media before it makes
 * us wait, so the queue in front of the socket tells too little, and too late.
 *
 * The delay is from when a byte was produced until we hear that the peer has it. Its least value is the way's own; anything
 * beyond is a queue. Reads no clock: times of one monotonic clock are passed in.
 */
export class WayMeter {
  readonly #marks = new SentMarks();
  #samples: Sample[] = [];
  /** The least delay of each second. */
  #seconds: { second: number; leastMs: number }[] = [];
  #ackedBytes = 0;
  /** The most that the peer leaves unacknowledged by habit: the least it has acknowledged at once. */
  #habitBytes = Number.POSITIVE_INFINITY;
  #sentBytes = 0;
  /** When the newest message was produced. */
  #newestMs = 0;
  /** How much was sent before the last pause: it is unknown how long the peer has had it. */
  #restedBytes = 0;

  /** A message was handed over that was produced at `atMs`; it ends after `endBytes` in total. */
  sent(endBytes: number, atMs: number): void {
    if (this.#isResting(atMs)) this.#restedBytes = this.#sentBytes;
    this.#newestMs = atMs;
    this.#sentBytes = endBytes;
    this.#marks.add(endBytes, atMs);
  }

  /** The peer has received this many bytes in total. */
  acknowledged(ackedBytes: number, nowMs: number): void {
    if (ackedBytes <= this.#ackedBytes) return;
    if (this.#ackedBytes > 0) this.#habitBytes = Math.min(this.#habitBytes, ackedBytes - this.#ackedBytes);
    this.#ackedBytes = ackedBytes;
    const producedMs = this.#marks.acknowledge(ackedBytes);
    if (producedMs !== undefined && ackedBytes > this.#restedBytes) this.#add(nowMs, nowMs - producedMs);
  }

  /** Undefined before the first acknowledgement, so for ever if the peer sends none. `unsentBytes` wait in front of the socket. */
  measure(nowMs: number, unsentBytes = 0): WayMeasure | undefined {
    if (this.#ackedBytes === 0) return undefined;
    const overdueMs = this.#overdueMs(nowMs);
    const last = this.#samples.at(-1);
    if (overdueMs !== undefined && overdueMs > (last?.delayMs ?? 0)) this.#add(nowMs, overdueMs);
    const recent = this.#samples.filter(({ atMs }) => nowMs - atMs <= standingMs);
    // An older delay says nothing about the present, and the next one may be minutes away if frames are dropped.
    const delayMs = Math.max(overdueMs ?? 0, recent.at(-1)?.delayMs ?? 0);
    this.#learnPath(nowMs);
    const leastMs = this.#leastMs;
    // A single late answer may as well be a busy computer's.
    const standing = recent.length < leastSamples ? 0 : Math.min(...recent.map((sample) => sample.delayMs));
    const carried = this.#carried(nowMs);
    const waitedMs = Math.max(0, delayMs - leastMs);
    const aheadBytes = this.#sentBytes + unsentBytes - this.#ackedBytes;
    const aheadMs = carried?.isLimit ? (aheadBytes * 8000) / Math.max(carried.bps, 1) - leastMs : 0;
    return { queueMs: Math.max(0, standing - leastMs), waitMs: Math.max(waitedMs, aheadMs), carried };
  }

  get #leastMs(): number {
    return Math.min(...this.#seconds.map(({ leastMs }) => leastMs));
  }

  /** How long the oldest byte that should have been acknowledged has been on its way; undefined if there is none. */
  #overdueMs(nowMs: number): number | undefined {
    if (this.#isResting(nowMs)) return undefined;
    const expectedMs = this.#marks.find(Math.max(this.#ackedBytes + this.#habitBytes, this.#restedBytes + 1));
    return expectedMs === undefined ? undefined : nowMs - expectedMs;
  }

  /**
   * Whether nothing more comes, and the peer may have everything: it acknowledges the rest with the next media. A peer that
   * doesn't count the handshake, like nginx-rtmp, seems to lack more than its habit.
   */
  #isResting(nowMs: number): boolean {
    const unacknowledged = this.#sentBytes - this.#ackedBytes;
    return nowMs - this.#newestMs > longestGapMs && unacknowledged <= 2 * Math.max(this.#habitBytes, leastHabitBytes);
  }

  #add(atMs: number, delayMs: number): void {
    this.#samples = this.#samples.filter((sample) => atMs - sample.atMs <= rateMs);
    this.#samples.push({ atMs, delayMs, ackedBytes: this.#ackedBytes });
    const second = Math.floor(atMs / 1000);
    const newest = this.#seconds.at(-1);
    if (newest?.second === second) newest.leastMs = Math.min(newest.leastMs, delayMs);
    else this.#seconds = [...this.#seconds.filter((old) => second - old.second < baseMs / 1000), { second, leastMs: delayMs }];
  }

  /** Learns the way's own delay: one that neither grows nor shrinks while bytes arrive. */
  #learnPath(nowMs: number): void {
    const recent = this.#samples.filter(({ atMs }) => nowMs - atMs <= flatMs);
    const [first] = recent;
    const last = recent.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < flatMs * 0.8) return;
    if (last.ackedBytes === first.ackedBytes || nowMs - last.atMs > standingMs) return;
    const delays = recent.map(({ delayMs }) => delayMs);
    const leastMs = Math.min(...delays);
    if (Math.max(...delays) - leastMs <= flatSpreadMs) this.#seconds = [{ second: Math.floor(nowMs / 1000), leastMs }];
  }

  #carried(nowMs: number): WayMeasure['carried'] {
    const leastMs = this.#leastMs;
    const all = this.#samples.filter(({ atMs }) => nowMs - atMs <= rateMs);
    const calm = all.findLastIndex(({ delayMs }) => delayMs - leastMs < waitingMs);
    // While nothing arrives at all, the way is blocked, and how much it carries otherwise isn't known.
    const limited = all.filter(
      (sample, index) => index > calm && sample.ackedBytes > (all[index - 1]?.ackedBytes ?? Number.POSITIVE_INFINITY),
    );
    const limit = limited.length < leastSamples ? undefined : rateOf(limited, leastRateMs, true);
    return limit ?? rateOf(all, rateMs / 2, false);
  }
}

function rateOf(samples: readonly Sample[], leastMs: number, isLimit: boolean): WayMeasure['carried'] {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const forMs = last.atMs - first.atMs;
  return forMs < leastMs ? undefined : { bps: ((last.ackedBytes - first.ackedBytes) * 8000) / forMs, isLimit };
}
