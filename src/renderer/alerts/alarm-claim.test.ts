import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { claimAlarm } from './alarm-claim.ts';

afterEach(() => vi.unstubAllGlobals());

/** Gives all pages the locks of one browser. */
function stubLocks(): void {
  const held = new Set<string>();
  const request = async (name: string, { ifAvailable }: LockOptions, use: (lock: Lock | null) => Promise<void>) => {
    expect(ifAvailable).toBe(true);
    if (held.has(name)) return use(null);
    held.add(name);
    await use({ name, mode: 'exclusive' });
    held.delete(name);
  };
  vi.stubGlobal('navigator', { locks: { request } });
}

test('only one page of a browser may sound for each loss, even if another notices it 10 s later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  stubLocks();
  expect(await claimAlarm('first')).toBe(true);
  expect(await claimAlarm('second')).toBe(true);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(await claimAlarm('first')).toBe(false);
});

test("where pages can't agree, each may sound", async () => {
  // As on a page of another computer without HTTPS.
  vi.stubGlobal('navigator', {});
  expect(await claimAlarm('first')).toBe(true);
  const request = () => Promise.reject(new DOMException('No locks here.', 'SecurityError'));
  vi.stubGlobal('navigator', { locks: { request } });
  expect(await claimAlarm('first')).toBe(true);
});
