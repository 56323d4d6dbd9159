import { useEffect } from 'react';
import { isDesktopPage } from '../client/is-desktop-page.ts';
import { keepScreenAwake } from './keep-screen-awake.ts';

/**
 * Keeps the display, and so its device, awake while `isOnAir` and the page is visible. Where that is impossible, Settings
 * explains the consequence (`describeAwake`). The desktop app keeps the computer awake itself, and lets its display turn off.
 */
export function useWakeLock(isOnAir: boolean): void {
  useEffect(() => (isOnAir && !isDesktopPage(window) ? keepScreenAwake() : undefined), [isOnAir]);
}
