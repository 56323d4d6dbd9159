import { expect, test } from 'vitest';
import { noTools } from '../../src/service/one-click/encode-tools.ts';
import type { PublicationEnd } from '../../src/service/publishing/media-publisher.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { createFakePublisher } from '../support/fake-publisher.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { lightEncode } from '../support/light-encode.ts';
import { setUpOneClicks } from '../support/one-click-stand.ts';
import { soon } from '../support/soon.ts';
import { createSteadyClock } from '../support/steady-clock.ts';

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
