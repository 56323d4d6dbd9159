import { expect, test } from 'vitest';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import { noTools } from '../../src/service/one-click/encode-tools.ts';
import type { PublicationEnd } from '../../src/service/publishing/media-publisher.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { createFakePublisher } from '../support/fake-publisher.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { lightEncode } from '../support/light-encode.ts';
import { setUpOneClicks } from '../support/one-click-stand.ts';
import { soon } from '../support/soon.ts';

/** No step of a steady clock is longer than this, in milliseconds: less than a pause that counts. */
const longestStepMs = 500;

/** A clock without pauses but the test's own: it doesn't count how long this process really paused. */
function createSteadyClock() {
  const system = createSystemClock();
  let aheadMs = 0;
  let readAtMs = system.monotonicMs();
  const step = () => {
    const nowMs = system.monotonicMs();
    aheadMs -= Math.max(0, nowMs - readAtMs - longestStepMs);
    readAtMs = nowMs;
    return aheadMs;
  };
  return {
    clock: { now: () => system.now() + step(), monotonicMs: () => system.monotonicMs() + step() },
    pause: (ms: number) => {
      aheadMs += ms;
    },
  };
}

test('frames of a pause of this process, which no encoder gets, make no encoder look slow, unless another pause follows soon', async () => {
  const { path, version } = await getFfmpeg();
  const { clock, pause } = createSteadyClock();
  const { oneClicks } = setUpOneClicks({
    clock,
    findTools: async () => ({ ...noTools, ffmpeg: { kind: 'found', path, version, from: 'PATH' } }),
    connect: async () => {
      const end = Promise.withResolvers<PublicationEnd>();
      return createFakePublisher(() => end.promise, {
        close: async () => {
          end.resolve({ kind: 'closed-by-us' });
          return true;
        },
      });
    },
  });
  const read = () => {
    const state = oneClicks.state('show');
    return state.kind === 'running' ? state : undefined;
  };
  await oneClicks.goLive('show', { source: testSource, encode: lightEncode });
  await soon(() => expect(read()?.encodeSpeed).toBeDefined());
  pause(4_000);
  await soon(() => expect(read()?.encodeSpeed).toBeUndefined());
  await soon(() => expect(read()?.encodeSpeed).toBeDefined());
  // An overloaded computer pauses again and again.
  pause(4_000);
  await soon(() => expect(read()?.encodeFps).toBeLessThan(24));
});
