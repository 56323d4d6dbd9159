import { useEffect } from 'react';

/**
 * Keeps the display, and so the device that shows it, awake while `isOnAir` and the page is looked at (Screen Wake Lock, W3C).
 *
 * A lock ends by itself when the page is hidden, so that it is asked for again when it is shown. A browser may refuse it, as on an
 * empty battery, and has none over plain HTTP from another computer: Settings says what that means (`describeSleep`). The desktop
 * app keeps the computer awake by itself.
 */
export function useWakeLock(isOnAir: boolean): void {
  useEffect(() => {
    if (!isOnAir || !('wakeLock' in navigator)) return;
    let isOver = false;
    let lock: WakeLockSentinel | undefined;
    const release = () => lock?.release().catch(() => {});
    const request = () => {
      if (document.visibilityState !== 'visible') return;
      navigator.wakeLock.request('screen').then(
        (granted) => {
          lock = granted;
          if (isOver) release();
        },
        () => {},
      );
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', request);
      release();
    };
  }, [isOnAir]);
}
