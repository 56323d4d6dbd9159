import { useLayoutEffect, useRef } from 'react';
import { isMeant, type Press } from './meant-press.ts';

/** A broadcast that ends later than this after *Stop* didn't end because of it. */
const stopTakesMs = 6_000;

export interface Presses {
  isMeant: (press: Press) => boolean;
  /** The press was acted on: the other button now takes the place of the pressed one. */
  take: (press: Press) => void;
  /** Stop was sent to the service. */
  noteStop: () => void;
}

/** Tells which presses of Go live and Stop are meant, since either button may have just taken the other's place. */
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
      // The broadcast ended by itself: a press right now is meant for the button that was there before.
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
 * Stop and Go live take each other's place, so a second or held key press must not undo the first. The set-up comes and goes, too.
 */
function leaveButton(): void {
  if (document.activeElement?.closest('header, [aria-label="Set-up"]')) document.querySelector<HTMLElement>('main')?.focus();
}
