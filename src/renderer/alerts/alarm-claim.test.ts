import { expect, onTestFinished, test, vi } from 'vitest';
import { claimAlarm } from './alarm-claim.ts';

/** The locks of a browser, shared by its pages. */
function openLocks(): Pick<LockManager, 'request'> {
  const held = new Set<string>();
  const request = async (name: string, { ifAvailable }: LockOptions, use: (lock: Lock | null) => Promise<void>) => {
    expect(ifAvailable).toBe(true);
    if (held.has(name)) return use(null);
    held.add(name);
    await use({ name, mode: 'exclusive' });
    held.delete(name);
  };
  return { request: request as LockManager['request'] };
}

test('of the pages of a browser one may sound for each loss, also if another is 10 s late', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const locks = openLocks();
  expect(await claimAlarm('first', locks)).toBe(true);
  expect(await claimAlarm('second', locks)).toBe(true);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(await claimAlarm('first', locks)).toBe(false);
});

test("where pages can't agree, each may sound", async () => {
  // As on a page of another computer without HTTPS.
  expect(await claimAlarm('first', undefined)).toBe(true);
  expect(
    await claimAlarm('first', { request: () => Promise.reject(new DOMException('No locks here.', 'SecurityError')) }),
  ).toBe(true);
});
