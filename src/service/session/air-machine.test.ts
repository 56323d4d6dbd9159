import { expect, test } from 'vitest';
import type { LossCause } from '../../shared/model/refusal.ts';
import { type AirChange, type AirEvent, type AirPhase, stepAir } from './air-machine.ts';

const cause: LossCause = { code: 'stopped' };
const offAir: AirPhase = { kind: 'off-air' };
const connecting: AirPhase = { kind: 'connecting', since: 100 };
const onAir: AirPhase = { kind: 'on-air', since: 100 };
const lost: AirPhase = {
  kind: 'reconnecting',
  since: 100,
  lostAt: 500,
  until: 60_500,
  isBack: false,
  isKeyRenewed: false,
  cameBackSilent: false,
};
const back: AirPhase = { ...lost, isBack: true };

const tick: AirEvent = { kind: 'tick' };
const admitted: AirEvent = { kind: 'admitted' };
const segment: AirEvent = { kind: 'segment' };
const loss: AirEvent = { kind: 'lost', lastMediaAt: 900, wasSilent: false, windowMs: 60_000, cause };
const renewed: AirEvent = { kind: 'key-renewed' };
const stopped: AirEvent = { kind: 'ended', end: { reason: 'stopped' } };

const endedBy = (reason: 'stopped' | 'ingest-lost', rest: object = {}): AirChange => ({
  kind: 'ended',
  end: { reason },
  wasLive: true,
  ...rest,
});
const over = (reason: 'stopped' | 'ingest-lost'): AirPhase => ({ kind: 'off-air', endedAt: 1_000, reason });

test.each<[AirPhase, AirEvent, AirPhase, AirChange[]]>([
  [offAir, tick, offAir, []],
  [offAir, admitted, { kind: 'connecting', since: 1_000 }, []],
  [offAir, segment, offAir, []],
  [offAir, renewed, offAir, []],
  [lost, renewed, { ...lost, isKeyRenewed: true }, []],
  [offAir, loss, offAir, []],
  [offAir, stopped, offAir, []],
  [connecting, tick, connecting, []],
  [connecting, admitted, { kind: 'connecting', since: 1_000 }, []],
  [connecting, segment, { kind: 'on-air', since: 1_000 }, [{ kind: 'began' }]],
  [
    connecting,
    loss,
    over('ingest-lost'),
    [{ kind: 'lost', when: 'before-on-air', cause }, endedBy('ingest-lost', { wasLive: false })],
  ],
  [connecting, stopped, over('stopped'), [endedBy('stopped', { wasLive: false })]],
  [onAir, tick, onAir, []],
  [onAir, admitted, onAir, []],
  [onAir, segment, onAir, []],
  [onAir, loss, { ...lost, lostAt: 900, until: 61_000 }, [{ kind: 'lost', when: 'on-air', waitMs: 60_000, cause }]],
  [onAir, stopped, over('stopped'), [endedBy('stopped')]],
  [lost, tick, lost, []],
  [lost, admitted, back, []],
  [lost, segment, { kind: 'on-air', since: 100 }, [{ kind: 'returned', afterMs: 500 }]],
  [lost, loss, lost, [{ kind: 'lost', when: 'back', cause }]],
  [lost, stopped, over('stopped'), [endedBy('stopped', { goneMs: 500 })]],
  [back, tick, back, []],
  [back, segment, { kind: 'on-air', since: 100 }, [{ kind: 'returned', afterMs: 500 }]],
  [back, loss, lost, [{ kind: 'lost', when: 'back', cause }]],
  [back, { ...loss, wasSilent: true }, { ...lost, cameBackSilent: true }, [{ kind: 'lost', when: 'back', cause }]],
  [back, stopped, over('stopped'), [endedBy('stopped', { goneMs: 500 })]],
])('%j, and then %j', (phase, event, next, changes) => {
  expect(stepAir(phase, event, 1_000)).toEqual({ phase: next, changes });
});

test('a publisher that does not come back within its window has ended the session; one that is back keeps the window open', () => {
  expect(stepAir(lost, tick, 60_499)).toEqual({ phase: lost, changes: [] });
  expect(stepAir(lost, tick, 60_500)).toEqual({
    phase: { kind: 'off-air', endedAt: 60_500, reason: 'ingest-lost' },
    changes: [endedBy('ingest-lost', { goneMs: 60_000 })],
  });
  expect(stepAir(back, tick, 100_000)).toEqual({ phase: back, changes: [] });
});

test('a publisher that sent nothing was lost when it went', () => {
  expect(stepAir(onAir, { ...loss, lastMediaAt: undefined } as AirEvent, 1_000).phase).toMatchObject({ lostAt: 1_000 });
});
