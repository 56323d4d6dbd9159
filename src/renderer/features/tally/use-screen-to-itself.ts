import { useEffect } from 'react';
import { keepScreenAwake } from '../../hooks/keep-screen-awake.ts';
import { useLatest } from '../../hooks/use-latest.ts';

/**
 * Makes the page full screen and keeps the screen awake while the component is mounted; harmless where a browser allows
 * neither. `onLeave` is called when the viewer leaves full screen: Escape does so before any page sees the key.
 */
export function useScreenToItself(onLeave: () => void): void {
  const leave = useLatest(onLeave);
  useEffect(() => {
    let isOurs = false;
    let isOver = false;
    const watch = () => {
      if (document.fullscreenElement === null && isOurs && !isOver) leave.current();
    };
    document.addEventListener('fullscreenchange', watch);
    if (document.fullscreenElement === null) {
      // Refused if no key or button led here, as from a bookmark.
      document.documentElement.requestFullscreen?.().then(
        () => {
          isOurs = true;
          if (isOver) void document.exitFullscreen().catch(() => {});
        },
        () => {},
      );
    }
    return () => {
      isOver = true;
      document.removeEventListener('fullscreenchange', watch);
      if (isOurs && document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {});
    };
  }, [leave]);
  useEffect(() => keepScreenAwake(), []);
}
