import { expect, test } from 'vitest';
import { broadcast } from '../../../test/support/flv-builder.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import { TrackArrivals } from './track-arrivals.ts';

test.each<[what: string, goesAt: Partial<Record<TrackKind, number>>, expected: [timestampMs: number, TrackKind][]]>([
  ['both arrive', {}, []],
  ['video has not for 5 s', { video: 4_000 }, [[8_960, 'video']]],
  ['audio has not for 5 s', { audio: 4_000 }, [[9_000, 'audio']]],
  ['neither does', { video: 4_000, audio: 4_000 }, []],
])('a track is away if the other one arrives: %s', (_what, goesAt, expected) => {
  const arrivals = new TrackArrivals();
  const reader = new UnitReader();
  const changes: [number, TrackKind][] = [];
  for (const tag of broadcast({ durationMs: 12_000 })) {
    const { kind, timestampMs } = tag;
    const read = reader.read(tag);
    const isGone = kind !== 'script' && timestampMs >= (goesAt[kind] ?? Number.POSITIVE_INFINITY);
    if (read.kind === 'unit' && read.unit.type !== 'config' && !isGone) arrivals.add(read.unit, timestampMs);
    const away = arrivals.findAway(timestampMs, { video: false, audio: false });
    if (away !== undefined && away !== changes.at(-1)?.[1]) changes.push([timestampMs, away]);
  }
  expect(changes.map(([timestampMs, away]) => [Math.floor(timestampMs / 40) * 40, away])).toEqual(expected);
});

test.each<TrackKind>(['video', 'audio'])(
  'after a pause of both tracks, as in a sleep, neither is away when %s comes first',
  (first) => {
    const arrivals = new TrackArrivals();
    const reader = new UnitReader();
    const pausedMs = 60_000;
    const found: (TrackKind | undefined)[] = [];
    for (const tag of broadcast({ durationMs: 12_000 })) {
      const read = reader.read(tag);
      if (read.kind !== 'unit' || read.unit.type === 'config') continue;
      const isAfter = tag.timestampMs >= 4_000;
      // The other one never comes back.
      if (isAfter && tag.kind !== first) continue;
      const atMs = tag.timestampMs + (isAfter ? pausedMs : 0);
      arrivals.add(read.unit, atMs);
      if (tag.timestampMs < 8_900) expect(arrivals.findAway(atMs, { video: true, audio: true })).toBeUndefined();
      found.push(arrivals.findAway(atMs, { video: true, audio: true }));
    }
    expect(found.at(-1)).toBe(first === 'video' ? 'audio' : 'video');
  },
);

test.each<[sends: TrackKind, had: Record<TrackKind, boolean>, expected: TrackKind | undefined]>([
  ['audio', { video: true, audio: true }, 'video'],
  ['video', { video: true, audio: true }, 'audio'],
  ['audio', { video: false, audio: true }, undefined],
  ['video', { video: true, audio: false }, undefined],
])('a publisher that sends only %s is missing the other track if its session has had it: %o', (sends, had, expected) => {
  const arrivals = new TrackArrivals();
  const reader = new UnitReader();
  for (const tag of broadcast({ durationMs: 6_000 }).filter(({ kind }) => kind === sends)) {
    const read = reader.read(tag);
    if (read.kind !== 'unit' || read.unit.type === 'config') continue;
    arrivals.add(read.unit, tag.timestampMs);
    if (tag.timestampMs < 4_900) expect(arrivals.findAway(tag.timestampMs, had)).toBeUndefined();
  }
  expect(arrivals.findAway(6_000, had)).toBe(expected);
});
