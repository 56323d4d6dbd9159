import type Hls from 'hls.js';
import { type BufferFlushingData, Events, type InFlightData, type InFlightFragments } from 'hls.js';
import { expect, test } from 'vitest';
import { BackBuffer, trimBackBuffer } from './back-buffer.ts';

const segment = { start: 12 };

test('with frequent keyframes the least is kept', () => {
  const buffer = new BackBuffer(15);
  for (const start of [0, 2, 4, 6]) buffer.note({ start });
  expect([3, 30].map((seconds) => buffer.findSeconds(seconds))).toEqual([15, 25]);
  for (const start of [8, 20, 28]) buffer.note({ start });
  expect([3, 30].map((seconds) => buffer.findSeconds(seconds))).toEqual([15, 15]);
});

test('media is kept from the keyframe of the current picture on, as parts tell', () => {
  const buffer = new BackBuffer(4);
  buffer.note(segment, { start: 12, independent: true });
  for (const start of [12.2, 30, 48]) buffer.note(segment, { start, independent: false });
  expect([14, 20, 50].map((seconds) => buffer.findSeconds(seconds))).toEqual([4, 9, 39]);
  // Already buffered, and not yet played.
  buffer.note(segment, { start: 50.2, independent: true });
  expect([50, 50.4, 600].map((seconds) => buffer.findSeconds(seconds))).toEqual([39, 4, 120]);
});

test('before anything is buffered, the least is kept', () => {
  expect(new BackBuffer(15).findSeconds(100)).toBe(15);
});

/** hls.js on its timeline, of which `trimBackBuffer` keeps at least 4 s. */
function trimmed({ segmentSeconds }: { segmentSeconds: number }) {
  let keptFrom = 0;
  const video = { currentTime: 0, buffered: { length: 1, start: () => keptFrom, end: () => Number.NaN } };
  const main: InFlightFragments['main'] = { frag: null, state: 'IDLE' };
  const removals: [playhead: number, to: number][] = [];
  const listeners: Partial<Record<Events, (name: Events, data: object) => void>> = {};
  class FakeHls {
    static readonly Events = Events;
    readonly inFlightFragments = { main };
    readonly latestLevelDetails = { levelTargetDuration: segmentSeconds };
    on(name: Events, listener: (name: Events, data: object) => void) {
      listeners[name] = listener;
    }
    trigger(name: Events, range: BufferFlushingData) {
      expect([name, range]).toEqual([Events.BUFFER_FLUSHING, { startOffset: 0, endOffset: range.endOffset, type: null }]);
      removals.push([video.currentTime, range.endOffset]);
      keptFrom = range.endOffset;
    }
  }
  trimBackBuffer(new FakeHls() as unknown as Hls, video, 4);
  return {
    removals,
    load: (start: number, independent: boolean) =>
      listeners[Events.FRAG_LOADED]?.(Events.FRAG_LOADED, { frag: { start }, part: { start, independent } }),
    /** Something has been buffered while the playhead is there; what hls.js does next. */
    buffer: (playheadSeconds: number, state: InFlightData['state'] = 'IDLE') => {
      main.state = state;
      video.currentTime = playheadSeconds;
      listeners[Events.FRAG_BUFFERED]?.(Events.FRAG_BUFFERED, {});
    },
  };
}

test('what was played is removed in steps while nothing is on its way, or once too much is overdue', () => {
  const { removals, buffer } = trimmed({ segmentSeconds: 1 });
  for (const playhead of [4.5, 5, 5.5, 6]) buffer(playhead);
  buffer(9, 'FRAG_LOADING');
  buffer(10, 'PARSING');
  buffer(10.5, 'FRAG_LOADING');
  buffer(12);
  expect(removals).toEqual([
    [5, 1],
    [6, 2],
    [10.5, 6.5],
    [12, 8],
  ]);
});

test('the last segment is kept, and media from the keyframe of the current picture on', () => {
  const { removals, load, buffer } = trimmed({ segmentSeconds: 8 });
  // The keyframe came before the player.
  load(1, false);
  for (const playhead of [8, 9]) buffer(playhead);
  // Loaded in a row, and reported as buffered with the last.
  load(10, true);
  load(10.2, false);
  for (const playhead of [12, 24]) buffer(playhead);
  expect(removals).toEqual([
    [9, 1],
    [12, 4],
    [24, 9],
  ]);
});
