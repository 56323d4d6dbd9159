import { useEffect } from 'react';

/** Leaves full screen when something opens over the page: what is in full screen hides the rest. */
export function usePageInSight(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen || document.fullscreenElement === null) return;
    // Refused only if it was left already.
    void document.exitFullscreen().catch(() => {});
  }, [isOpen]);
}
