import { expect, test } from 'vitest';
import { startOddService } from '../../../test/support/odd-service.ts';
import { RemoteApi } from './remote-api.ts';

test("how far the service's clock is ahead comes from its dates; under 2 s is nothing, and so is a change under 2 s", async () => {
  const nowMs = 1_700_000_000_000;
  let aheadSeconds: number | undefined;
  await using service = await startOddService((_asked, response) => {
    response.sendDate = false;
    const date = aheadSeconds !== undefined && new Date(nowMs + aheadSeconds * 1000).toUTCString();
    return { json: [], ...(date !== false && { headers: { date } }) };
  });
  const api = new RemoteApi({
    baseUrl: service.baseUrl,
    findKey: () => 'key',
    clock: { now: () => nowMs, monotonicMs: () => 0 },
    signal: new AbortController().signal,
  });
  const ahead: [number | undefined, number][] = [];
  for (const seconds of [undefined, 1, 3_600, 3_601, 3_602, undefined, 0, -3, -2, -1]) {
    aheadSeconds = seconds;
    await api.checkKey();
    ahead.push([seconds, api.clockAheadMs]);
  }
  // A date is half a second old on average.
  expect(ahead).toEqual([
    [undefined, 0],
    [1, 0],
    [3_600, 3_600_500],
    [3_601, 3_600_500],
    [3_602, 3_602_500],
    [undefined, 3_602_500],
    [0, 0],
    [-3, -2_500],
    [-2, -2_500],
    [-1, 0],
  ]);
});
