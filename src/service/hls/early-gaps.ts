import { totalSeconds } from './count-newest.ts';
import type { InitSegment, SegmentGap } from './packaged-segment.ts';
import { emptySegment, type StoredSegment } from './stored-segment.ts';

/**
 * The gaps of a rendition before its first segment. Until that segment exists the rendition has no playlist. Then the gaps come
 * before it, as far as the window reaches, so that all renditions have the same segments (rfc8216bis §6.2.4). If segments are so
 * long that the source's playlist is longer than its window, the rendition's playlist begins later.
 */
export class EarlyGaps {
  readonly #windowSeconds: () => number;
  #gaps: SegmentGap[] = [];

  constructor(windowSeconds: () => number) {
    this.#windowSeconds = windowSeconds;
  }

  add(gap: SegmentGap): void {
    if (this.#gaps.at(-1)?.place.msn !== gap.place.msn - 1) this.#gaps = [];
    this.#gaps.push(gap);
    if (totalSeconds(this.#gaps.slice(1)) >= this.#windowSeconds()) this.#gaps.shift();
  }

  /** Removes and returns the gaps right before the segment with this number. */
  takeBefore(msn: number, init: InitSegment): StoredSegment[] {
    const gaps = this.#gaps.splice(0);
    if (gaps.at(-1)?.place.msn !== msn - 1) return [];
    return gaps.map(({ place, ...gap }) => ({ init, ...place, ...gap, ...emptySegment }));
  }
}
