import { beforeEach, expect, test } from 'vitest';
import { LevelSteering, type SteeredPlayer } from './level-steering.ts';

const names = ['small', 'middle', 'source'];

/** Records what it is told, as hls.js would. */
class Levels implements SteeredPlayer {
  levels = names.map((name) => ({ url: [`http://127.0.0.1/hls/show/${name}/index.m3u8`], loadError: 0 }));
  manualLevel = -1;
  told: string[] = [];
  #loaded = 2;

  get loadLevel() {
    return this.#loaded;
  }
  set loadLevel(level) {
    this.#take('loadLevel', level);
    this.manualLevel = level;
  }
  get nextLevel() {
    return this.#loaded;
  }
  set nextLevel(level) {
    this.#take('nextLevel', level);
    this.manualLevel = level;
  }
  get nextLoadLevel() {
    return this.#loaded;
  }
  set nextLoadLevel(level) {
    this.#take('nextLoadLevel', level);
  }
  #take(how: string, level: number) {
    this.told.push(`${how} ${names[level] ?? 'automatic'}`);
    if (level !== -1) this.#loaded = level;
  }
}

let hls: Levels;
let steering: LevelSteering;
beforeEach(() => {
  hls = new Levels();
  steering = new LevelSteering(hls);
});

test("the viewer's choice plays at once, and without one hls.js chooses", () => {
  expect(steering.steer({ chosen: 'small', offered: names }, 0, true)).toBe(true);
  expect(steering.steer({ chosen: 'small', offered: names }, 500)).toBe(true);
  expect(steering.steer({ chosen: undefined, offered: names }, 1_000, true)).toBe(true);
  expect(hls.told).toEqual(['nextLevel small', 'nextLevel automatic']);
});

test.each([
  { chosen: 'middle', offered: ['small', 'source'], instead: 'small' },
  { chosen: 'middle', offered: ['source'], instead: 'source' },
  { chosen: 'small', offered: ['middle', 'source'], instead: 'middle' },
  { chosen: 'source', offered: ['small'], instead: 'small' },
  { chosen: 'small', offered: ['source'], instead: 'source' },
])('while $chosen is not made, $instead plays seamlessly until it returns', ({ chosen, offered, instead }) => {
  steering.steer({ chosen, offered: names }, 0, true);
  steering.steer({ chosen, offered }, 100);
  steering.steer({ chosen, offered }, 600);
  steering.steer({ chosen, offered: names }, 700);
  expect(hls.told).toEqual([`nextLevel ${chosen}`, `loadLevel ${instead}`, `loadLevel ${chosen}`]);
});

test('when hls.js chooses, it leaves a rendition that stops and avoids it until it returns', () => {
  const offered = ['small', 'middle'];
  steering.steer({ chosen: undefined, offered }, 0);
  steering.steer({ chosen: undefined, offered }, 500);
  expect(hls.told).toEqual(['nextLoadLevel middle']);
  expect(hls.levels.map(({ loadError }) => loadError)).toEqual([0, 0, 1]);
  steering.steer({ chosen: undefined, offered: names }, 1_000);
  expect(hls.levels.map(({ loadError }) => loadError)).toEqual([0, 0, 0]);
  // The lightest one has none that is lighter.
  hls.nextLoadLevel = 0;
  steering.steer({ chosen: undefined, offered: ['middle', 'source'] }, 1_500);
  expect(hls.told.slice(1)).toEqual(['nextLoadLevel small', 'nextLoadLevel middle']);
});

test('the error counts of hls.js are kept', () => {
  hls.levels[0]!.loadError = 3;
  steering.steer({ chosen: undefined, offered: names }, 0);
  expect(hls.levels[0]!.loadError).toBe(3);
});

test('a choice that hls.js dropped at a gap is restored after three seconds', () => {
  steering.steer({ chosen: 'small', offered: names }, 0, true);
  hls.told = [];
  hls.manualLevel = -1;
  for (let atMs = 500; atMs <= 3_000; atMs += 500) steering.steer({ chosen: 'small', offered: names }, atMs);
  expect(hls.told).toEqual([]);
  steering.steer({ chosen: 'small', offered: names }, 3_500);
  expect(hls.told).toEqual(['loadLevel small']);
});

test('only a rendition that is made but unknown needs a new player', () => {
  expect(steering.steer({ chosen: 'tiny', offered: [...names, 'tiny'] }, 0)).toBe(false);
  expect(steering.steer({ chosen: 'tiny', offered: undefined }, 0)).toBe(false);
  expect(steering.steer({ chosen: 'tiny', offered: names }, 0)).toBe(true);
  expect(hls.told).toEqual([]);
});

test('while it is unknown what is made, nothing counts as missing', () => {
  steering.steer({ chosen: undefined, offered: undefined }, 0);
  expect(hls.told).toEqual([]);
  expect(hls.levels.every(({ loadError }) => loadError === 0)).toBe(true);
});
