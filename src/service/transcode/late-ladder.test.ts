import { expect, test } from 'vitest';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { createRendition } from '../../../test/support/ladder-rendition.ts';
import { placeTags, smallProfiles } from '../../../test/support/transcode-stand.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import { LateLadder } from './late-ladder.ts';
import type { RunningLadder } from './running-ladder.ts';

/** Three seconds at 5 fps, with a keyframe each second. */
const source = placeTags(broadcast({ durationMs: 3_000, fps: 5, gopFrames: 5 }));
const [rendition] = smallProfiles.map((profile) => createRendition(profile));

/** A late ladder, and the calls to the ladder that it starts. */
function setUp() {
  const found = createEventSource<void>();
  const pushed: PlacedUnit[] = [];
  const told: unknown[] = [];
  const ladder: RunningLadder = {
    stateOf: () => 'running',
    push: (unit) => pushed.push(unit),
    tick: () => told.push('tick'),
    leaveOut: (renditions) => told.push(renditions),
    drain: async () => void told.push('drain'),
  };
  const encoders: { ladder?: RunningLadder } = {};
  const late = new LateLadder({
    onFound: found.on,
    start: () => {
      told.push('start');
      return encoders.ladder;
    },
  });
  return {
    late,
    pushed,
    told,
    /** Encoders have been tried; one works. */
    find(works = true) {
      if (works) encoders.ladder = ladder;
      found.emit();
    },
    play(fromMs: number, toMs: number) {
      for (const unit of source) if (unit.dts >= fromMs && unit.dts < toMs) late.push(unit);
    },
  };
}

test('once something can encode, it begins at the next keyframe, with the parameters of the source', () => {
  const { late, pushed, told, find, play } = setUp();
  play(0, 500);
  expect([late.stateOf(rendition!), told]).toEqual(['given-up', []]);
  find();
  play(500, 1_000);
  expect([late.stateOf(rendition!), told]).toEqual(['given-up', []]);
  play(1_000, 3_000);
  late.tick();
  const [video, audio, first] = pushed;
  expect([video, audio]).toMatchObject([
    { type: 'config', config: { track: 'video' } },
    { type: 'config', config: { track: 'audio' } },
  ]);
  expect(first).toMatchObject({ type: 'video', keyframe: true, dts: 1_000 });
  expect(pushed.slice(2)).toEqual(source.slice(source.indexOf(first!)));
  expect([late.stateOf(rendition!), told]).toEqual(['running', ['start', 'tick']]);
});

test('trials that find nothing change nothing, and the next ones may', () => {
  const { pushed, told, find, play } = setUp();
  play(0, 500);
  find(false);
  play(500, 1_500);
  expect([pushed, told]).toEqual([[], ['start']]);
  find();
  play(1_500, 2_500);
  expect(told).toEqual(['start', 'start']);
  expect(pushed[2]).toMatchObject({ dts: 2_000 });
});

test('what was left out meanwhile stays left out', () => {
  const { late, told, find, play } = setUp();
  late.leaveOut([rendition!]);
  find();
  play(0, 500);
  expect(told).toEqual(['start', [rendition]]);
});

test('a broadcast that is over begins none', async () => {
  const { late, told, find, play } = setUp();
  play(0, 500);
  await late.drain();
  find();
  play(500, 3_000);
  expect(told).toEqual([]);
});
