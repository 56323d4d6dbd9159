import { useLayoutEffect, useRef } from 'react';
import { isMeant, type Press } from './meant-press.ts';

/** A broadcast that ends later than this after *Stop* didn't end by it. */
const stopTakesMs = 6_000;

export interface Presses {
  isMeant: (press: Press) => boolean;
  /** It was followed: the other button takes the place of the one that was pressed. */
  take: (press: Press) => void;
  /** Stop was sent to the service. */
  noteStop: () => void;
}

/** The presses of Go live and Stop: which of them are meant, whatever took the place of the button meanwhile. */
export function usePresses({ isRunning, hasViewers }: { isRunning: boolean; hasViewers: boolean }): Presses {
  const last = useRef<Press>(undefined);
  const stopAskedAtMs = useRef(Number.NEGATIVE_INFINITY);
  const hadViewers = useRef(false);
  useLayoutEffect(() => {
    if (hasViewers) hadViewers.current = true;
  }, [hasViewers]);
  useLayoutEffect(() => {
    if (!isRunning) return;
    return () => {
      const atMs = performance.now();
      // It ended by itself: a press just now is meant for the button that was there.
      if (hadViewers.current && atMs - stopAskedAtMs.current > stopTakesMs) last.current = { what: 'stop', atMs };
      hadViewers.current = false;
    };
  }, [isRunning]);
  return {
    isMeant: (press) => isMeant(press, last.current),
    take(press) {
      last.current = press;
      leaveButton();
    },
    noteStop() {
      stopAskedAtMs.current = performance.now();
    },
  };
}

/**
 * Stop and Go live take each other's place, so a second key press, or one that is held, must not undo the first. The set-up comes and
 * goes, too.
 */
function leaveButton(): void {
  if (document.activeElement?.closest('header, [aria-label="Set-up"]')) document.querySelector<HTMLElement>('main')?.focus();
}
