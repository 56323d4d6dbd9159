import { useEffect, useRef } from 'react';

/** Calls `act` when the user comes back to this window or tab: what isn't told as it changes may be another by then. */
export function useReturn(act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const look = () => {
      if (!document.hidden) latest.current();
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
