import { expect, test } from 'vitest';
import { smallSettings } from '../support/encode-stand.ts';
import { fetchRendition } from '../support/fetch-rendition.ts';
import { startThrottledBroadcast } from '../support/throttled-broadcast.ts';

test('a way that carries a quarter lowers the bitrate without a discontinuity; a reset keeps it; it rises with the way', async () => {
  const { proxy, decisions, state, playlistUrl, oneClicks } = await startThrottledBroadcast(smallSettings);
  proxy.throttle(532_000);
  await expect.poll(() => decisions().some(({ code }) => code === 'lowered'), { timeout: 15_000 }).toBe(true);
  await expect.poll(() => state().videoBitrateBps, { timeout: 40_000 }).toBeLessThan(500_000);
  await expect.poll(() => state().queueMs, { timeout: 20_000 }).toBeLessThan(200);
  const { playlist } = await fetchRendition(playlistUrl);
  expect(playlist.segments.map(({ init }) => init)).toEqual(playlist.segments.map(() => playlist.segments[0]?.init));
  expect(playlist.segments.filter(({ discontinuity }) => discontinuity)).toEqual([]);
  // Another connection says nothing about the way: the bitrate stays as it is. It waits for the test: a loss is retried at once.
  proxy.stall();
  proxy.reset();
  await expect.poll(() => oneClicks.state('show').kind).toBe('retrying');
  expect(oneClicks.sentMeters('show')).toMatchObject({ measuredAt: expect.any(Number), bitrateBps: expect.any(Number) });
  proxy.resume();
  await expect.poll(() => oneClicks.state('show').kind, { timeout: 20_000 }).toBe('running');
  expect(state().videoBitrateBps).toBeLessThan(500_000);
  proxy.throttle(undefined);
  await expect.poll(() => decisions().some(({ code }) => code === 'raised'), { timeout: 40_000 }).toBe(true);
  const lowered = state().videoBitrateBps ?? 0;
  await expect.poll(() => state().videoBitrateBps, { timeout: 25_000 }).toBeGreaterThan(lowered);
});
