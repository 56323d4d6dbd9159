import { expect, test } from 'vitest';
import type { AirState } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { currentMeters } from './current-meters.ts';

test('what was measured before a broadcast began is not shown of it', () => {
  const since = 1_700_000_000_000;
  const measured = (air: AirState, measuredAt: number, change: Partial<StreamLive> = {}) =>
    currentMeters({ meters: { measuredAt }, stream: { air } as StreamLive['stream'], service: undefined, ...change })
      ?.measuredAt;
  const airs: AirState[] = [
    { kind: 'connecting', since },
    { kind: 'on-air', since, sessionId: 'a' },
    { kind: 'reconnecting', since, sessionId: 'a', lostAt: since + 9_000 },
  ];
  expect(airs.map((air) => [since - 1, since].map((atMs) => measured(air, atMs)))).toEqual(airs.map(() => [undefined, since]));
  // Off air, meters are the last broadcast's; another computer's meters go by its own clock.
  expect(measured({ kind: 'off-air' }, since)).toBe(since);
  const region = { code: 'jfk', isOwn: false, ingest: 'rtmp://jfk/live', playback: 'http://jfk/hls' };
  expect(measured(airs[1] as AirState, since - 1, { region })).toBe(since - 1);
});
