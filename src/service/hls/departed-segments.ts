import type { StoredSegment } from './stored-segment.ts';

interface Departed {
  segment: StoredSegment;
  /** How much more media is appended until the segment can't be asked for any more. */
  keepSeconds: number;
}

/** Segments that have left a playlist and may still be asked for, oldest first: counted in media, not by a clock. */
export class DepartedSegments {
  #departed: Departed[] = [];

  get isEmpty(): boolean {
    return this.#departed.length === 0;
  }

  get segments(): StoredSegment[] {
    return this.#departed.map(({ segment }) => segment);
  }

  add(segment: StoredSegment, keepSeconds: number): void {
    this.#departed.push({ segment, keepSeconds });
  }

  find(fits: (segment: StoredSegment) => boolean): StoredSegment | undefined {
    return this.#departed.find(({ segment }) => fits(segment))?.segment;
  }

  /** This much media was appended. Returns the segments that can't be asked for any more. */
  pass(seconds: number): StoredSegment[] {
    for (const departed of this.#departed) departed.keepSeconds -= seconds;
    return this.#letGo(({ keepSeconds }) => keepSeconds <= 0);
  }

  /** Removes the segments up to this number, and returns them. */
  dropUntil(msn: number): StoredSegment[] {
    return this.#letGo(({ segment }) => segment.msn <= msn);
  }

  clear(): void {
    this.#departed = [];
  }

  #letGo(goes: (departed: Departed) => boolean): StoredSegment[] {
    const gone = this.#departed.filter(goes);
    if (gone.length > 0) this.#departed = this.#departed.filter((departed) => !goes(departed));
    return gone.map(({ segment }) => segment);
  }
}
