import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function for a signal that aborts once the component is gone, or is `about` something else. Call it in events, not while
 * rendering.
 */
export function useGone(about?: string): () => AbortSignal {
  const gone = useRef(new AbortController());
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is about something else, earlier signals abort
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => controller.abort();
  }, [about]);
  return useCallback(() => gone.current.signal, []);
}
