import { expect, onTestFinished, test } from 'vitest';
import { onFault } from './lib/faults.ts';
import { createLiveControl } from './live-control.ts';
import type { EndCause } from './streams/end-cause.ts';

/** The one place that ends broadcasts, and what it asked for, in order. */
function openControl({ oneClick = 'running' as 'idle' | 'failed' | 'running', stop = async () => {} } = {}) {
  const asked: string[] = [];
  const note = (what: string) => {
    asked.push(what);
    return stop();
  };
  const control = createLiveControl({
    registry: {
      isLive: () => true,
      endSession: (_streamId, { reason }) => asked.push(`session: ${reason}`),
      sendPublisherAway: (_streamId, { code }) => asked.push(`encoder: ${code}`),
    },
    oneClicks: {
      state: () => ({ kind: oneClick }) as ReturnType<Parameters<typeof createLiveControl>[0]['oneClicks']['state']>,
      stop: () => note('one-click stops'),
      forget: () => note('one-click is forgotten'),
    },
  });
  return { control, asked };
}

test.each<[EndCause['reason'], string]>([
  ['stopped', 'one-click stops'],
  ['terminated', 'one-click stops'],
  ['suspended', 'one-click stops'],
  ['deleted', 'one-click is forgotten'],
])('a broadcast that is %s takes its one-click along, first', (reason, first) => {
  const { control, asked } = openControl();
  control.endSession('show', { reason });
  expect(asked).toEqual([first, `session: ${reason}`]);
});

test('a one-click that cannot be ended is a fault for the log, and the broadcast ends all the same', async () => {
  const faults: unknown[] = [];
  onTestFinished(onFault(({ error }) => faults.push((error as Error).message)));
  const { control, asked } = openControl({ stop: () => Promise.reject(new Error('No stream has this id.')) });
  control.endSession('show', { reason: 'deleted' });
  await new Promise(setImmediate);
  expect([asked.at(-1), faults]).toEqual(['session: deleted', ['No stream has this id.']]);
});

test.each([
  ['running', []],
  ['failed', ['encoder: key-renewed']],
  ['idle', ['encoder: key-renewed']],
] as const)('an encoder is sent away for its key where one-click is %s: our own knows the new one', (oneClick, expected) => {
  const { control, asked } = openControl({ oneClick });
  control.sendPublisherAway('show', { code: 'key-renewed' });
  expect(asked).toEqual(expected);
});
