import { useEffect } from 'react';
import { keepScreenAwake } from './keep-screen-awake.ts';

/**
 * Keeps the display, and so the device that shows it, awake while `isOnAir` and the page is looked at. Where it cannot, Settings says
 * what that means (`describeSleep`). The desktop app keeps the computer awake by itself.
 */
export function useWakeLock(isOnAir: boolean): void {
  useEffect(() => (isOnAir ? keepScreenAwake() : undefined), [isOnAir]);
}
