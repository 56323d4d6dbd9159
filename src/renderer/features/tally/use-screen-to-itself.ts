import { useEffect, useRef } from 'react';
import { keepScreenAwake } from '../../hooks/keep-screen-awake.ts';

/**
 * Gives the page the whole screen, and keeps the screen awake, for as long as the component is there. Where a browser allows
 * neither, nothing is lost. `onLeave` is called when the viewer leaves full screen: Escape does that before any page hears of it.
 */
export function useScreenToItself(onLeave: () => void): void {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    let isOurs = false;
    let isOver = false;
    const watch = () => {
      if (document.fullscreenElement === null && isOurs && !isOver) leave.current();
    };
    document.addEventListener('fullscreenchange', watch);
    if (document.fullscreenElement === null) {
      // Refused where no key or button led here, like a bookmark.
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
  }, []);
  useEffect(() => keepScreenAwake(), []);
}
