import { expect, onTestFinished, test } from 'vitest';
import type { OneClickKind } from '../shared/model/live.ts';
import { isSentFromHere } from '../shared/sent-from-here.ts';
import { createLiveControl } from './end-broadcasts.ts';
import { onFault } from './lib/faults.ts';
import type { EndCause } from './streams/end-cause.ts';

/** The live control, and its calls to its parts, in order. */
function openControl({ oneClick = 'running' as OneClickKind, isElsewhere = false, stop = async () => {} } = {}) {
  const asked: string[] = [];
  const note = (what: string) => {
    asked.push(what);
    return stop();
  };
  const control = createLiveControl({
    registry: {
      isLive: () => true,
      endSession: (_streamId, { reason }) => asked.push(`session: ${reason}`),
      sendPublisherAway: (_streamId, { code }, options) =>
        asked.push(`encoder: ${code}${options?.keepsOwn ? ', not ours' : ''}`),
    },
    oneClicks: {
      isSent: () => isSentFromHere({ kind: oneClick }),
      stop: () => note('one-click stops').then(() => true),
      forget: () => note('one-click is forgotten'),
    },
    routes: {
      end: (_streamId, { reason }) => asked.push(`elsewhere: ${reason}`),
      isElsewhere: () => isElsewhere,
      forgetKey: () => asked.push('old key is forgotten'),
    },
  });
  return { control, asked };
}

test.each<[EndCause['reason'], string[]]>([
  ['stopped', ['elsewhere: stopped', 'one-click stops']],
  ['terminated', ['elsewhere: terminated', 'one-click stops']],
  ['suspended', ['elsewhere: suspended', 'one-click stops']],
  ['deleted', ['one-click is forgotten']],
])('when a broadcast is %s, its one-click ends first, and its log says why unless it is deleted too', (reason, first) => {
  const { control, asked } = openControl();
  control.endSession('show', { reason });
  expect(asked).toEqual([...first, `session: ${reason}`]);
});

test('if a one-click cannot be ended, the fault is logged and the broadcast still ends', async () => {
  const faults: unknown[] = [];
  onTestFinished(onFault(({ error }) => faults.push((error as Error).message)));
  const { control, asked } = openControl({ stop: () => Promise.reject(new Error('No stream has this id.')) });
  control.endSession('show', { reason: 'deleted' });
  await new Promise(setImmediate);
  expect([asked.at(-1), faults]).toEqual(['session: deleted', ['No stream has this id.']]);
});

test.each([
  ['running', 'here', ', not ours'],
  ['retrying', 'here', ', not ours'],
  ['running', 'elsewhere', ''],
  ['failed', 'here', ''],
  ['idle', 'here', ''],
] as const)(
  'a renewed key makes our broadcast forget the old one, and disconnects the publisher that is here while one click is %s %s%s',
  (oneClick, where, but) => {
    const { control, asked } = openControl({ oneClick, isElsewhere: where === 'elsewhere' });
    control.sendPublisherAway('show', { code: 'key-renewed' });
    expect(asked).toEqual(['old key is forgotten', `encoder: key-renewed${but}`]);
  },
);
