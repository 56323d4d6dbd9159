import { useEffect, useRef } from 'react';
import { useAnnouncer } from '../../components/announcer.tsx';
import type { AirStatus } from '../../status/air-status.ts';

/** Says each change of the large state once, politely; what stood when Studio opened is read, not said. */
export function useAnnouncedState(status: AirStatus, streamName: string): void {
  const { politely } = useAnnouncer();
  const said = useRef(status.word);
  useEffect(() => {
    if (said.current !== status.word) politely(`${streamName}: ${status.word}`);
    said.current = status.word;
  }, [status.word, streamName, politely]);
}
