import { useEffect, useRef } from 'react';

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

/** Keeps the screen awake while the page is seen: the lock is gone each time it is hidden. Answers the undo. */
function keepScreenAwake(): () => void {
  let lock: Promise<WakeLockSentinel | undefined> | undefined;
  const ask = () => {
    if (document.visibilityState === 'visible') lock = navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  ask();
  document.addEventListener('visibilitychange', ask);
  return () => {
    document.removeEventListener('visibilitychange', ask);
    void lock?.then((held) => held?.release());
  };
}
