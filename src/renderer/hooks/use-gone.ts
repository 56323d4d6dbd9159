import { useCallback, useEffect, useRef } from 'react';

/**
 * Gives a signal that aborts once the component that uses it is gone, or is about something else. To be asked for by events, not while
 * rendering.
 */
export function useGone(about?: string): () => AbortSignal {
  const gone = useRef(new AbortController());
  // biome-ignore lint/correctness/useExhaustiveDependencies: about something else, whoever asked about the former is gone
  useEffect(() => {
    const controller = new AbortController();
    gone.current = controller;
    return () => controller.abort();
  }, [about]);
  return useCallback(() => gone.current.signal, []);
}
