import { useEffect, useRef } from 'react';
import { keepScreenAwake } from '../../hooks/keep-screen-awake.ts';

/** How many components want the screen now: one may ask before the answer to the last one has come. */
let wanting = 0;

/**
 * Makes the page full screen and keeps the screen awake while the component is mounted; harmless where a browser allows
 * neither. `onLeave` is called when the viewer leaves full screen: Escape does so before any page sees the key.
 */
export function useScreenToItself(onLeave: () => void): void {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    let isOurs = false;
    let isOver = false;
    wanting += 1;
    const watch = () => {
      if (document.fullscreenElement === null && isOurs && !isOver) leave.current();
    };
    document.addEventListener('fullscreenchange', watch);
    if (document.fullscreenElement === null) {
      // Refused if no key or button led here, as from a bookmark.
      document.documentElement.requestFullscreen?.().then(
        () => {
          isOurs = true;
          if (isOver && wanting === 0) void document.exitFullscreen().catch(() => {});
        },
        () => {},
      );
    }
    return () => {
      isOver = true;
      wanting -= 1;
      document.removeEventListener('fullscreenchange', watch);
      if (isOurs && document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {});
    };
  }, []);
  useEffect(() => keepScreenAwake(), []);
}
