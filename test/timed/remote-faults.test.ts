import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { parseStreamRef } from '../../src/shared/model/stream-ref.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeVerdict } from '../../src/shared/words/verdict-words.ts';
import { readHoldings, settleHoldings } from '../support/accounting.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { lightEncode } from '../support/light-encode.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let holdings: Awaited<ReturnType<typeof readHoldings>>;
let here: Awaited<ReturnType<typeof startTestService>>;
let there: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  holdings = await readHoldings();
  [here, there] = await Promise.all([startTestService(), startTestService()]);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  // No process, socket or timer outlives its broadcast.
  expect(await settleHoldings(holdings, 10_000)).toEqual([]);
});

test('when the API of a remote service vanishes while media flows, viewers notice nothing, and only that is reported', async () => {
  await using proxy = await startFaultProxy(there.urls.httpPort);
  const baseUrl = `http://127.0.0.1:${proxy.port}/api`;
  const { id: serviceId } = await here.app.remoteService.add({ name: 'There', baseUrl, apiKey: there.secret });
  const { id: streamId } = await here.app.stream.create({ name: 'Show', serviceId });
  const watchHere = async (is: (live: StreamLive) => boolean) =>
    waitUntil(await here.app.stream.watch({ streamId, pageId: 'page' }), is);
  const segmentsThere = async (atLeast: number) => {
    const lives = await there.app.stream.watch({ streamId: parseStreamRef(streamId).id });
    const { session } = await waitUntil(lives, (live) => (live.session?.sourceSegments ?? 0) >= atLeast);
    return session?.sourceSegments ?? 0;
  };
  await here.app.broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
  await watchHere(({ verdict }) => verdict?.code === 'good');

  // Requests and answers vanish, and nothing closes.
  proxy.stall();
  const since = performance.now();
  const silent = await watchHere(({ verdict }) => verdict?.code === 'service-silent');
  const noticedSeconds = (performance.now() - since) / 1000;
  expect(silent.verdict && describeVerdict(silent.verdict, 0)).toEqual({
    title: "The service doesn't answer",
    sentence:
      "The service didn't answer within 5\u00a0s. Your media still goes to its ingest, and Tallylight keeps sending. Only its reports are missing.",
  });
  expect(silent).toMatchObject({ oneClick: { kind: 'running' }, stream: { air: { kind: 'on-air' } } });
  await segmentsThere((await segmentsThere(1)) + 3);

  proxy.resume();
  const resumedAt = performance.now();
  await watchHere(({ verdict }) => verdict?.code === 'good');
  const backSeconds = (performance.now() - resumedAt) / 1000;
  console.log(
    `Remote API gone: said after ${noticedSeconds.toFixed(1)} s, no longer ${backSeconds.toFixed(1)} s after its return`,
  );
  expect(backSeconds).toBeLessThan(20);

  // Its answers are missing again, and Stop doesn't wait for them.
  proxy.stall();
  await watchHere(({ verdict }) => verdict?.code === 'service-silent');
  const stoppingAt = performance.now();
  await here.app.broadcast.stop({ streamId });
  expect(performance.now() - stoppingAt).toBeLessThan(5_000);
});
