import type Hls from 'hls.js';
import { parseRenditionFolder } from './qualities.ts';

/** The part of hls.js that is steered; its levels are ordered by bitrate. */
export type SteeredPlayer = Pick<Hls, 'manualLevel' | 'loadLevel' | 'nextLevel' | 'nextLoadLevel'> & {
  levels: readonly { url: readonly string[]; loadError: number }[];
};

/** What to play, by rendition name. */
export interface PlayedWish {
  /** The viewer's choice; absent while the player chooses. */
  chosen: string | undefined;
  /** The renditions made now; absent while unknown. */
  offered: readonly string[] | undefined;
}

/** How long to wait before returning hls.js to a rendition it left because of a gap, in milliseconds. */
const returnAfterMs = 3_000;
/** hls.js chooses. */
const automatic = -1;

/**
 * Keeps hls.js on the rendition the viewer chose. While that one isn't made, the nearest one plays. Nothing is reopened: the
 * missing rendition's playlist stays live (docs/decisions/0011), and it is an ordinary level switch.
 *
 * Left alone, hls.js drops the choice at a gap and then avoids that rendition for good.
 */
export class LevelSteering {
  readonly #hls: SteeredPlayer;
  #steeredTo = automatic;
  #leftAtMs: number | undefined;
  readonly #avoided = new Set<SteeredPlayer['levels'][number]>();

  constructor(hls: SteeredPlayer) {
    this.#hls = hls;
  }

  /** The renditions hls.js knows, in the order of its levels. */
  get names(): readonly (string | undefined)[] {
    return this.#hls.levels.map(({ url }) => parseRenditionFolder(url[0] ?? ''));
  }

  /**
   * Makes hls.js play the wanted rendition; `isAtOnce` discards the buffer for that. Returns false if hls.js doesn't know the rendition:
   * only a new player does.
   */
  steer({ chosen, offered }: PlayedWish, atMs: number, isAtOnce = false): boolean {
    const { names } = this;
    const isMade = (name: string | undefined) => name === undefined || (offered?.includes(name) ?? true);
    this.#avoid((level) => !isMade(names[level]));
    const wanted = chosen === undefined ? automatic : names.indexOf(chosen);
    const isUnknown = chosen !== undefined && wanted === -1;
    if (isUnknown && isMade(chosen)) return false;
    const nearest = (level: number) => findNearest(level, (other) => isMade(names[other]), names.length);
    if (wanted !== automatic) {
      this.#steerTo(isMade(names[wanted]) ? wanted : nearest(wanted), atMs, isAtOnce);
      return true;
    }
    this.#steerTo(automatic, atMs, isAtOnce);
    const loaded = this.#hls.loadLevel;
    if (!isMade(names[loaded])) this.#hls.nextLoadLevel = nearest(loaded);
    return true;
  }

  /** While hls.js chooses, it takes no level that has failed. */
  #avoid(isToBeAvoided: (level: number) => boolean): void {
    for (const [index, level] of this.#hls.levels.entries()) {
      if (isToBeAvoided(index)) {
        this.#avoided.add(level);
        level.loadError = Math.max(1, level.loadError);
      } else if (this.#avoided.delete(level)) {
        level.loadError = 0;
      }
    }
  }

  #steerTo(level: number, atMs: number, isAtOnce: boolean): void {
    if (this.#hls.manualLevel === level) {
      this.#steeredTo = level;
      this.#leftAtMs = undefined;
      return;
    }
    if (this.#steeredTo === level && !isAtOnce) {
      this.#leftAtMs ??= atMs;
      if (atMs - this.#leftAtMs < returnAfterMs) return;
    }
    this.#steeredTo = level;
    this.#leftAtMs = undefined;
    if (isAtOnce) this.#hls.nextLevel = level;
    else this.#hls.loadLevel = level;
  }
}

/** The nearest lighter level that is made, else the nearest heavier one, else the same. */
function findNearest(level: number, isMade: (level: number) => boolean, count: number): number {
  for (let lighter = level - 1; lighter >= 0; lighter -= 1) if (isMade(lighter)) return lighter;
  for (let costlier = level + 1; costlier < count; costlier += 1) if (isMade(costlier)) return costlier;
  return level;
}
