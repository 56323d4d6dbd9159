import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveStage } from '../../../test/support/live-stage.ts';
import { SegmentStore } from '../hls/segment-store.ts';
import type { PublisherSink } from '../ingest/publish-gate.ts';
import { onFault } from '../lib/faults.ts';

let faults: string[];
let off: () => void;
beforeEach(() => {
  faults = [];
  off = onFault(({ during }) => faults.push(during));
});
afterEach(() => {
  off();
  vi.restoreAllMocks();
});

/** A stream on air that can complete nothing from now on: no segment, and no entry in the ledger. */
function openBroken() {
  const stage = new LiveStage();
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  expect(stage.stream.air.kind).toBe('on-air');
  vi.spyOn(SegmentStore.prototype, 'complete').mockImplementation(() => {
    throw new Error('A bug.');
  });
  return { stage, sink };
}

const ends: [string, string, (sink: PublisherSink, stage: LiveStage) => void][] = [
  ['ended by its encoder', 'off-air', (sink) => sink.end({ kind: 'unpublished' })],
  ['lost', 'reconnecting', (sink) => sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } })],
  ['stopped', 'off-air', (_, { stream }) => stream.end({ reason: 'stopped' })],
  ['taken over', 'on-air', (_, stage) => void stage.stream.admit(stage.createPublisher())],
  ['sent away', 'reconnecting', (_, { stream }) => stream.sendAway({ code: 'key-renewed' })],
];

test.each(ends)(
  'a session whose last segment cannot be completed is still %s, and the next one begins',
  async (_, kind, end) => {
    const { stage, sink } = openBroken();
    end(sink, stage);
    expect([stage.stream.air.kind, faults]).toEqual([kind, ['the last segment of a publisher']]);
    vi.restoreAllMocks();
    const next = stage.stream.admit(stage.createPublisher());
    stage.play(next);
    expect(stage.stream.air.kind).toBe('on-air');
    stage.stream.end({ reason: 'service-closed' });
    expect(stage.stream.air).toMatchObject({ kind: 'off-air', reason: 'service-closed' });
    await stage.stream.close();
    expect(faults).toHaveLength(1);
  },
);

test('a publisher that cannot be disconnected does not keep its stream on air, nor its slot', () => {
  const stage = new LiveStage();
  const close = () => {
    throw new Error('A bug.');
  };
  stage.play(stage.stream.admit({ ...stage.createPublisher(), close }));
  const next = stage.stream.admit({ ...stage.createPublisher(), close });
  stage.play(next);
  stage.stream.end({ reason: 'stopped' });
  expect(stage.stream.air.kind).toBe('off-air');
  expect(faults).toEqual(['sending a publisher away', 'sending a publisher away']);
});

test('a session whose playlist or record cannot be ended is off air, and its remaining parts are closed', async () => {
  const fail = () => {
    throw new Error('A bug.');
  };
  const { ledger } = new LiveStage().options;
  const stage = new LiveStage({ ledger: { ...ledger, endSession: fail } });
  const publisher = stage.createPublisher();
  stage.play(stage.stream.admit(publisher));
  vi.spyOn(SegmentStore.prototype, 'end').mockImplementation(fail);
  stage.stream.end({ reason: 'stopped' });
  expect([stage.stream.air.kind, publisher.closedWith]).toEqual(['off-air', [{ code: 'broadcast-ended', reason: 'stopped' }]]);
  await stage.stream.close();
  expect(faults).toEqual(['the end of a session', 'the end of a playlist']);
});
