import { useCallback, useEffect, useRef } from 'react';

/** Gives a signal that aborts once the component that uses it is gone. To be asked for by events, not while rendering. */
export function useGone(): () => AbortSignal {
  const gone = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => controller.abort();
  }, []);
  return useCallback(() => gone.current.signal, []);
}
