import { gridRoundingMs } from '../media/rounding.ts';
import { ratesToTry } from './common-rates.ts';

const windowFrames = 90;
/** This many frames must fit before a rate is accepted. */
const minFrames = 5;
/** The least share of frames that are adjacent: at ten times the rate, anything would fit. */
const adjacentShare = 0.8;

/** The fixed frame rate of a stream, if it has one: measured from timestamps in whole milliseconds. */
export class FrameRate {
  readonly #stampsMs: number[] = [];
  #fps: number | undefined;
  #seen = 0;

  /** Frames per second; undefined while unknown, and if frames come at varying distances. */
  get fps(): number | undefined {
    return this.#fps;
  }

  /** Enough has been seen to tell. */
  get settled(): boolean {
    return this.#fps !== undefined || this.#seen > minFrames;
  }

  /** Takes the next decode time. `promisedFps` is the rate in the encoder's parameters, which this checks. */
  add(stampMs: number, promisedFps: number | undefined): void {
    const stamps = this.#stampsMs;
    if (stampMs <= (stamps.at(-1) ?? -1)) return;
    this.#seen += 1;
    stamps.push(stampMs);
    if (stamps.length > windowFrames) stamps.shift();
    if (stamps.length < minFrames) {
      this.#fps = promisedFps;
      return;
    }
    if (this.#fps !== undefined && this.#fits(this.#fps)) return;
    const candidates = promisedFps === undefined ? ratesToTry : [promisedFps, ...ratesToTry];
    this.#fps = candidates.find((fps) => this.#fits(fps));
  }

  #fits(fps: number): boolean {
    const stamps = this.#stampsMs;
    const firstMs = stamps[0] ?? 0;
    let lowMs = 0;
    let highMs = 0;
    let adjacent = 0;
    let lastIndex = 0;
    for (const stampMs of stamps) {
      const exact = ((stampMs - firstMs) * fps) / 1000;
      const index = Math.round(exact);
      const errorMs = ((exact - index) * 1000) / fps;
      lowMs = Math.min(lowMs, errorMs);
      highMs = Math.max(highMs, errorMs);
      if (highMs - lowMs > gridRoundingMs) return false;
      if (index === lastIndex + 1) adjacent += 1;
      lastIndex = index;
    }
    return adjacent >= (stamps.length - 1) * adjacentShare;
  }
}
