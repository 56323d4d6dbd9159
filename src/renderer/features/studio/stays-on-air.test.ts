import { expect, test } from 'vitest';
import type { AirState, OneClickKind } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { staysOnAir } from './stays-on-air.ts';

const onAir: AirState = { kind: 'on-air', since: 0, sessionId: 's' };
const lost: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1 };

const judge = (kind: OneClickKind, air: AirState, { isActive = true, isRemote = true } = {}) =>
  staysOnAir({
    stream: { air, isActive },
    oneClick: { kind },
    ...(isRemote && { service: { name: 'Away' } }),
  } as StreamLive);

test("another program's broadcast at a service stays on air after Stop while one click hasn't got through", () => {
  expect((['starting', 'retrying'] as const).map((kind) => judge(kind, onAir))).toEqual([true, true]);
  // Stop ends these for their viewers.
  expect([
    judge('running', onAir),
    judge('idle', onAir),
    judge('failed', onAir),
    judge('retrying', lost),
    judge('retrying', onAir, { isRemote: false }),
  ]).toEqual([false, false, false, false, false]);
});

test('a broadcast of ours that a region plays on, which its service does not know, ends with Stop', () => {
  expect(judge('retrying', onAir, { isActive: false })).toBe(false);
});
