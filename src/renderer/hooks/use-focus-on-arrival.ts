import { useEffect } from 'react';

/**
 * Puts the focus on the place's heading where what had it is gone, as after *Create*: the next Tab then leads to what stands
 * beside the name, and screen readers read the name. A focus that is somewhere stays there.
 */
export function useFocusOnArrival(): void {
  useEffect(() => {
    // A dialog that closes gives its focus back first.
    const timer = setTimeout(() => {
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const heading = document.querySelector('h1');
      if (heading === null) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }, 50);
    return () => clearTimeout(timer);
  }, []);
}
