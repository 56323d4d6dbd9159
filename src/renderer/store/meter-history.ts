/** How far back the chart goes, in seconds; the ring has one slot for each. */
export const historySeconds = 300;

/** Bitrates per second, for the chart; `undefined` is a gap. */
export interface MeterHistory {
  /** Records a measurement at `atMs` (epoch milliseconds); the last one in a second counts. */
  note(atMs: number, bitrateBps: number | undefined): void;
  /** The {@link historySeconds} up to `nowMs`. */
  read(nowMs: number): ReadHistory;
}

/** A part of a history. */
export interface ReadHistory {
  /** Unix seconds, oldest first. */
  seconds: number[];
  /** Bits per second, one for each second. */
  bitratesBps: (number | null)[];
  /** When the history began, in Unix seconds, if this part begins before it. */
  beganAt: number | undefined;
}

/** How many seconds without a measurement repeat the previous one; measurements come about once a second. */
const toleratedSeconds = 2;

/** An empty history; it covers five minutes and never grows. */
export function createMeterHistory(): MeterHistory {
  const secondOf = new Float64Array(historySeconds);
  let first: number | undefined;
  const bitrateOf = new Float64Array(historySeconds).fill(Number.NaN);

  return {
    note(atMs, bitrateBps) {
      const second = Math.floor(atMs / 1000);
      // An earlier time means that the clock was set back.
      first = Math.min(first ?? second, second);
      const place = second % historySeconds;
      secondOf[place] = second;
      bitrateOf[place] = bitrateBps ?? Number.NaN;
    },
    read(nowMs) {
      const now = Math.floor(nowMs / 1000);
      const seconds: number[] = [];
      const bitratesBps: (number | null)[] = [];
      let last = Number.NaN;
      let lastSecond = Number.NEGATIVE_INFINITY;
      for (let second = now - historySeconds + 1; second <= now; second += 1) {
        const place = second % historySeconds;
        if (secondOf[place] === second) {
          last = bitrateOf[place] as number;
          lastSecond = second;
        } else if (second - lastSecond > toleratedSeconds) {
          last = Number.NaN;
        }
        seconds.push(second);
        bitratesBps.push(Number.isNaN(last) ? null : last);
      }
      const beganAt = first !== undefined && first > (seconds[0] as number) ? first : undefined;
      return { seconds, bitratesBps, beganAt };
    },
  };
}
