import { pause } from '../../shared/pause.ts';

/** How long a claim lasts, in milliseconds: longer than another page may take to notice the reason and let its sound out. */
const claimMs = 15_000;

/**
 * Whether this page is the one of its browser that sounds the alarm for a reason. Where pages can't agree, as without HTTPS on another
 * computer, each is.
 */
export function claimAlarm(reason: string): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = async (lock: Lock | null) => {
      resolve(lock !== null);
      if (lock !== null) await pause(claimMs);
    };
    locks.request(`tallylight.alarm ${reason}`, { ifAvailable: true }, hold).catch(() => resolve(true));
  });
}
