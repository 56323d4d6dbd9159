import { useEffect } from 'react';

/** Leaves full screen when something opens over the page: a part of it in full screen hides the rest. */
export function usePageInSight(isOpen: boolean): void {
  useEffect(() => {
    const shown = document.fullscreenElement;
    // iPhones have no full screen for pages, so this is undefined there.
    if (!isOpen || shown == null || shown === document.documentElement) return;
    // Refused only if it was left already.
    void document.exitFullscreen().catch(() => {});
  }, [isOpen]);
}
