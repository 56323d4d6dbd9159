import { useEffect, useRef, useState } from 'react';
import { holdRoute } from './use-route.ts';

/** A navigation that waits for an answer. */
export interface HeldNavigation {
  isAsking: boolean;
  stay: () => void;
  leave: () => void;
}

/** Keeps the screen open while it has unsaved edits: leaving for another screen asks here, closing asks in the browser. */
export function useUnsavedGuard(isDirty: boolean): HeldNavigation {
  const [wanted, setWanted] = useState<string>();
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!isDirty) return;
    const release = holdRoute((hash) => {
      if (isLeaving.current) return false;
      setWanted(hash);
      return true;
    });
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      release();
      window.removeEventListener('beforeunload', warn);
    };
  }, [isDirty]);

  return {
    isAsking: wanted !== undefined,
    stay: () => setWanted(undefined),
    leave: () => {
      isLeaving.current = true;
      window.location.hash = wanted ?? '';
    },
  };
}
