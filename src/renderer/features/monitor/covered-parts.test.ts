import Hls, { type LevelUpdatedData } from 'hls.js';
import { expect, test } from 'vitest';
import { passCoveredParts } from './covered-parts.ts';

/** A playlist's parts of 0.2 s as hls.js has them; `loaded`: the indexes that were loaded. */
function listParts(fragments: readonly { startSeconds: number; parts: number; loaded?: readonly number[] }[]) {
  return fragments.flatMap(({ startSeconds, parts, loaded = [] }) => {
    const fragment = {};
    return Array.from({ length: parts }, (_, index) => ({
      fragment,
      start: startSeconds + index * 0.2,
      end: startSeconds + (index + 1) * 0.2,
      loaded: loaded.includes(index),
      gap: false,
    }));
  });
}

/** Reports a playlist to the code under test, with media buffered from `from` to `to`; returns the parts that it marks. */
function update(parts: ReturnType<typeof listParts> | undefined, from: number, to: number): number[] {
  const listeners = new Map<string, (event: string, data: LevelUpdatedData) => void>();
  const hls = {
    on: (event: string, listener: (event: string, data: LevelUpdatedData) => void) => listeners.set(event, listener),
  };
  const buffered = { length: 1, start: () => from, end: () => to };
  passCoveredParts(hls as unknown as Hls, { buffered });
  const [[event = '', listener] = []] = listeners;
  expect([event, listeners.size]).toEqual([Hls.Events.LEVEL_UPDATED, 1]);
  listener?.(event, { details: { partList: parts ?? null } } as unknown as LevelUpdatedData);
  return (parts ?? []).flatMap(({ gap }, index) => (gap ? [index] : []));
}

const secondHalf = [5, 6, 7, 8, 9];

test('the parts before those that were loaded of a segment are passed, if the buffer has their time', () => {
  const parts = listParts([
    { startSeconds: 8, parts: 10, loaded: secondHalf },
    { startSeconds: 10, parts: 1 },
  ]);
  expect(update(parts, 0, 9.999_999)).toEqual([0, 1, 2, 3, 4]);
});

test('nothing is passed where hls.js still has to load: in front of a part, after one, and where the buffer has a hole', () => {
  const untouched = () => [
    { startSeconds: 8, parts: 10 },
    { startSeconds: 10, parts: 3 },
  ];
  expect(update(listParts(untouched()), 0, 10)).toEqual([]);
  expect(update(listParts([{ startSeconds: 8, parts: 10, loaded: [0, 1, 2] }]), 0, 8.6)).toEqual([]);
  expect(update(listParts([{ startSeconds: 8, parts: 10, loaded: secondHalf }]), 8.75, 10)).toEqual([4]);
  expect(update(undefined, 0, 10)).toEqual([]);
});
