import { expect, test } from 'vitest';
import type { StreamsEvent, StreamView } from './model/views.ts';
import { followStreams } from './stream-list.ts';

const view = (id: string, name = id) => ({ id, name }) as StreamView;

async function follow(...events: StreamsEvent[]): Promise<StreamView[][]> {
  async function* tell() {
    yield* events;
  }
  const heard: StreamView[][] = [];
  for await (const streams of followStreams(tell())) heard.push(streams);
  return heard;
}

test('changed streams keep their place, new ones come first, newest first, and deleted ones go', async () => {
  const heard = await follow(
    { kind: 'all', streams: [view('c'), view('b'), view('a')] },
    { kind: 'changes', streams: [view('e'), view('d'), view('b', 'renamed')], deleted: ['c', 'never known'] },
    { kind: 'changes', streams: [], deleted: ['e'] },
    { kind: 'all', streams: [view('x')] },
  );
  expect(heard.map((streams) => streams.map(({ name }) => name))).toEqual([
    ['c', 'b', 'a'],
    ['e', 'd', 'renamed', 'a'],
    ['d', 'renamed', 'a'],
    ['x'],
  ]);
});

test('an unchanged stream keeps its identity, so that it is not rendered again', async () => {
  const [first, second] = await follow(
    { kind: 'all', streams: [view('b'), view('a')] },
    { kind: 'changes', streams: [view('b', 'renamed')], deleted: [] },
  );
  expect(second?.[1]).toBe(first?.[1]);
});
