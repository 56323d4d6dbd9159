import { expect, test } from 'vitest';
import { MediaClock } from './media-clock.ts';

/** How units are placed, like `v0 a21`: a jump with its distance, stale units in brackets. */
function place(units: string): string {
  const clock = new MediaClock();
  const told = units.split(' ').map((unit) => {
    const timeMs = Number(unit.slice(1));
    const placed = clock.place(unit.startsWith('v') ? 'video' : 'audio', timeMs);
    if (placed.kind === 'stale') return `(${unit})`;
    expect(placed.timeMs).toBe(timeMs);
    return placed.kind === 'jumps' ? `${unit}:${placed.skippedMs}` : unit;
  });
  return told.join(' ');
}

test('when one track jumps, units of the other on the timeline before are stale, until it follows', () => {
  expect(place('v0 a0 v40 v10000 a21 a42 v10040 a10000 a10021 v10080')).toBe(
    'v0 a0 v40 v10000:9960 (a21) (a42) v10040 a10000 a10021 v10080',
  );
  expect(place('v60000 a60000 v0 a60021 a0 a21 v40')).toBe('v60000 a60000 v0:-60000 (a60021) a0 a21 v40');
  // However long it takes.
  expect(place('v0 a0 a50000 v10000 v20000 v30000 v50000')).toBe('v0 a0 a50000:50000 (v10000) (v20000) (v30000) v50000');
  // After that it can jump itself.
  expect(place('v0 a0 v10000 a10000 a4000')).toBe('v0 a0 v10000:10000 a10000 a4000:-6000');
  // Nearer to the other track, it has followed.
  expect(place('v0 a0 v10000 a8500')).toBe('v0 a0 v10000:10000 a8500');
  // A time as near to both timelines counts as continuing.
  expect(place('v10000 a10000 v0 a5000')).toBe('v10000 a10000 v0:-10000 a5000');
});

test('a track that jumps away and back finds the other where that has been all along', () => {
  expect(place('v0 a0 a50000 v40 v80 a21 v120 a42')).toBe('v0 a0 a50000:50000 (v40) (v80) a21:-49979 v120 a42');
});

test('beside the track that has jumped, by up to a second, nothing is stale', () => {
  expect(place('v5000 a5000 v3900 a4900')).toBe('v5000 a5000 v3900:-1100 a4900');
  expect(place('v5000 a5000 v3900 a4901 a4800')).toBe('v5000 a5000 v3900:-1100 (a4901) a4800');
});

test('a hole of up to 5 s, and frames that are up to a second out of order, continue', () => {
  expect(place('v0 v5000 v10001')).toBe('v0 v5000 v10001:5001');
  expect(place('v2000 v1000 v1500 v999')).toBe('v2000 v1000 v1500 v999:-1001');
});

test('a track that was away is back if it is within 5 s of the other, after 6 hours at most', () => {
  expect(place('v0 a0 a5000 a10000 v15000')).toBe('v0 a0 a5000 a10000 v15000');
  expect(place('v0 a0 a5000 a10000 v15001')).toBe('v0 a0 a5000 a10000 v15001:15001');
  expect(place('v0 a0 a5000 a10000 a15000 v10000')).toBe('v0 a0 a5000 a10000 a15000 v10000');
  expect(place('v0 a0 a5000 a10000 a15000 v9999')).toBe('v0 a0 a5000 a10000 a15000 v9999:9999');
  const sound = Array.from({ length: 4_321 }, (_, index) => `a${index * 5_000}`).join(' ');
  expect(place(`v0 ${sound} v21600000`)).toBe(`v0 ${sound} v21600000`);
  expect(place(`v0 ${sound} v21600001`)).toBe(`v0 ${sound} v21600001:21600001`);
});

test('a time from before 0 has no place', () => {
  expect(place('v-1 a-20 v0 a1')).toBe('(v-1) (a-20) v0 a1');
});

test('a track jumps again, though the other has not followed yet, or never comes', () => {
  expect(place('v0 a0 v10000 v20000 a21 a20000')).toBe('v0 a0 v10000:10000 v20000:10000 (a21) a20000');
  expect(place('v0 v10000 a0 a10000')).toBe('v0 v10000:10000 a0 a10000');
});
