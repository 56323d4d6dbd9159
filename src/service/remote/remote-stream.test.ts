import { expect, test } from 'vitest';
import type { OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { RemoteStream as StreamAnswer } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import { RemoteStream } from './remote-stream.ts';

const settings = { width: 1280, height: 720, fps: 30, videoBitrateBps: 3e6, keyframeSeconds: 1, audioBitrateBps: 160_000 };
const common = { source: testSource, encode: { kind: 'automatic' }, settings, since: 0 } as const;
const running: OneClickState = { kind: 'running', ...common, away: [], queueMs: 0, droppedFrames: 0 };
const retrying: OneClickState = {
  kind: 'retrying',
  ...common,
  away: [],
  attempt: 1,
  retryAt: 0,
  failure: { code: 'closed', during: 'sending' },
};
const failed = (code: 'taken-over' | 'key-refused', at: number): OneClickState => ({
  kind: 'failed',
  source: testSource,
  at,
  failure: { code },
  stderr: [],
});

/** A stream that one click sends, whose state and answers the test decides; its clock shows milliseconds. */
function openStream() {
  let now = 0;
  let oneClick: OneClickState = { kind: 'idle' };
  const stream = new RemoteStream({
    serviceId: 'team',
    id: 'show',
    clock: { now: () => now, monotonicMs: () => now },
    service: () => ({ name: 'Team', api: { clockAheadMs: 0 } as RemoteApi }),
    oneClick: () => oneClick,
    sound: () => [],
    isSilenceMeant: () => false,
    lastChoice: () => undefined,
    playReports: { of: () => [], rest: () => {} },
    onChange: () => {},
  });
  const answer = (isActive: boolean) =>
    StreamAnswer.parse({ id: 'show', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', profiles: [], isActive });
  return {
    stream,
    /** At this time, one click does this and the service answers that the stream is active, or isn't. Whether it is on air and lost. */
    at(atMs: number, state: OneClickState, isActive: boolean) {
      now = atMs;
      oneClick = state;
      stream.noteStream(answer(isActive));
      const { lost, stream: view } = stream.live(undefined, undefined) ?? {};
      expect(view?.lostSessionId).toBe(lost?.sessionId);
      return [view?.air.kind, lost && [lost.reason, lost.startedAt, lost.endedAt]];
    },
  };
}

test('a broadcast that its service ends while the ingest is tried again is lost, until it is back or dismissed', () => {
  const { at, stream } = openStream();
  expect(at(1_000, running, true)).toEqual(['on-air', undefined]);
  expect(at(60_000, retrying, true)).toEqual(['reconnecting', undefined]);
  const lost = ['off-air', ['encoder-failed', 1_000, 120_000]];
  expect(at(120_000, retrying, false)).toEqual(lost);
  expect(at(130_000, retrying, false)).toEqual(lost);
  expect(at(135_000, failed('key-refused', 135_000), false)).toEqual(lost);
  stream.dismissLost();
  expect(at(140_000, retrying, false)).toEqual(['off-air', undefined]);
  expect(at(150_000, running, true)).toEqual(['on-air', undefined]);
});

test('one that was never on air is not lost', () => {
  const { at } = openStream();
  expect(at(1_000, retrying, false)).toEqual(['off-air', undefined]);
  expect(at(2_000, failed('key-refused', 2_000), false)).toEqual(['off-air', undefined]);
});

test('one that failed is lost, but while another encoder that took over is on air, nothing has ended', () => {
  const { at } = openStream();
  at(1_000, running, true);
  expect(at(5_000, failed('key-refused', 5_000), true)).toEqual(['on-air', ['encoder-failed', 1_000, 5_000]]);
  expect(at(5_000, failed('taken-over', 5_000), true)).toEqual(['on-air', undefined]);
  expect(at(9_000, failed('taken-over', 5_000), false)).toEqual(['off-air', ['encoder-failed', 1_000, 5_000]]);
});
