import { expect, onTestFinished, test, vi } from 'vitest';
import { ServiceError } from '../../shared/errors.ts';
import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { StreamChange } from '../streams/stream-change.ts';
import { watchAudio } from './watch-audio.ts';

/** A watcher of one stream with a meter of the test's, and what it has got so far. */
function openWatch({ isLive = true, isKnown = true } = {}) {
  vi.useFakeTimers();
  const changes = createEventSource<StreamChange>();
  const heard = createEventSource<string>();
  const closing = new AbortController();
  onTestFinished(() => {
    closing.abort();
    vi.useRealTimers();
  });
  const state: { audioMeter?: AudioMeter | undefined; sent?: AudioMeter | undefined; isLive: boolean; reads: number } = {
    isLive,
    reads: 0,
  };
  const findLive = () => {
    state.reads += 1;
    return state.isLive ? { audioMeter: state.audioMeter } : undefined;
  };
  const getKeyless = () => {
    if (!isKnown) throw new ServiceError('NOT_FOUND', 'No stream has this id.');
    return {};
  };
  const sent = createEventSource<string>();
  const soundMeter = () => (state.sent === undefined ? undefined : { read: () => state.sent });
  const context = {
    changes,
    registry: { findLive, onHeard: heard.on },
    streams: { getKeyless },
    oneClicks: { soundMeter, onHeard: sent.on },
  };
  const events: unknown[] = [];
  const watching = (async () => {
    const values = watchAudio(context as unknown as Parameters<typeof watchAudio>[0], 'a', closing.signal);
    for await (const value of values) events.push(value);
  })();
  const turn = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
  const hear = (momentaryLufs: number) => {
    state.audioMeter = { kind: 'measured', momentaryLufs, truePeaksDbtp: [] };
    heard.emit('a');
  };
  return { state, events, changes, heard, sent, hear, turn, watching };
}

const measured = (momentaryLufs: number) => ({ meter: { kind: 'measured', momentaryLufs, truePeaksDbtp: [] } });

test('however often a stream is measured, a page gets five values a second', async () => {
  const { events, hear, turn } = openWatch();
  await turn(1_000);
  for (let lufs = -1; lufs >= -20; lufs -= 1) {
    hear(lufs);
    await turn(100);
  }
  expect(events).toEqual([{}, ...[-1, -2, -4, -6, -8, -10, -12, -14, -16, -18, -20].map(measured)]);
});

test('a stream without a meter is sent once, whatever else changes; other streams send nothing', async () => {
  const { events, changes, heard, state, hear, turn } = openWatch();
  await turn();
  for (let tick = 0; tick < 5; tick += 1) {
    changes.emit({ kind: 'changed', streamId: 'a' });
    await turn(1_000);
  }
  expect(events).toEqual([{}]);
  hear(-16);
  await turn(1_000);
  state.audioMeter = undefined;
  const { reads } = state;
  heard.emit('b');
  changes.emit({ kind: 'changed', streamId: 'b' });
  await turn(1_000);
  expect(state.reads).toBe(reads);
  changes.emit({ kind: 'changed', streamId: 'a' });
  await turn(1_000);
  expect(events).toEqual([{}, measured(-16), {}]);
});

test('what one click sends to another region is heard, and what arrives here once that is over', async () => {
  const { state, events, sent, hear, turn } = openWatch({ isLive: false });
  await turn();
  state.sent = { kind: 'measured', momentaryLufs: -23, truePeaksDbtp: [] };
  sent.emit('b');
  await turn(1_000);
  sent.emit('a');
  await turn(1_000);
  state.sent = undefined;
  state.isLive = true;
  hear(-16);
  await turn(1_000);
  expect(events).toEqual([{}, measured(-23), measured(-16)]);
});

test('a stream that was never live has no meter, and a deleted one ends it', async () => {
  const { events, turn } = openWatch({ isLive: false });
  await turn();
  expect(events).toEqual([{}]);
  const deleted = openWatch({ isLive: false, isKnown: false });
  await expect(deleted.watching).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
