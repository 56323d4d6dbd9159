import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { setUpOneClicks } from '../../../test/support/one-click-stand.ts';
import { testSource } from '../../shared/model/source.ts';
import { broadcastHandlers } from './broadcast.ts';
import { type HandlerContext, implementContract } from './handler-context.ts';

/** Goes live through the contract; `meanwhile` runs while the start is prepared. Returns the choices that were kept. */
async function goLive(meanwhile: (oneClicks: HandlerContext['oneClicks']) => Promise<unknown>) {
  const kept: unknown[] = [];
  const { oneClicks } = setUpOneClicks({ prepare: () => meanwhile(oneClicks).then(() => {}) });
  const context = {
    oneClicks,
    choices: { save: (...choice: unknown[]) => void kept.push(choice) },
    log: pino({ level: 'silent' }),
  } as unknown as HandlerContext;
  const { broadcast } = createRouterClient(broadcastHandlers(implementContract(context), context));
  await broadcast.goLive({ streamId: 'show', ...choice });
  return kept;
}

const choice = { source: testSource, encode: { kind: 'preset', name: '720p30' } } as const;

test('a stream keeps what it went live with, unless that was stopped, or the stream was deleted, before it began', async () => {
  expect(await goLive(async () => {})).toEqual([['show', choice]]);
  expect(await goLive((oneClicks) => oneClicks.stop('show'))).toEqual([]);
  expect(await goLive((oneClicks) => oneClicks.forget('show'))).toEqual([]);
});
