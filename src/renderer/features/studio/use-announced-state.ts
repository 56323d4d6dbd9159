import { useEffect, useRef } from 'react';
import { useAnnouncer } from '../../components/announcer.tsx';
import type { AirStatus } from '../../status/air-status.ts';

/**
 * Says each change of the large state once, politely; what stood when Studio opened is read, not said. That the service is not heard
 * is the window's to say.
 */
export function useAnnouncedState(status: AirStatus, streamName: string): void {
  const { politely } = useAnnouncer();
  const said = useRef(status.word);
  useEffect(() => {
    if (status.kind === 'unknown') return;
    if (said.current !== status.word) politely(`${streamName}: ${status.word}`);
    said.current = status.word;
  }, [status.kind, status.word, streamName, politely]);
}
