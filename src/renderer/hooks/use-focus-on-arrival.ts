import { useEffect } from 'react';

/**
 * Focuses the screen's heading if the focused element is gone, as after *Create*. Tab then continues from the name, and screen
 * readers read it. An existing focus is kept, unless it is that of the whole screen.
 */
export function useFocusOnArrival(): void {
  useEffect(() => {
    // A closing dialog restores its focus first.
    const timer = setTimeout(() => {
      const focused = document.activeElement;
      if (focused !== null && focused !== document.body && focused.tagName !== 'MAIN') return;
      const heading = document.querySelector('h1');
      if (heading === null) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }, 50);
    return () => clearTimeout(timer);
  }, []);
}
