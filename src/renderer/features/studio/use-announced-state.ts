import { useEffect, useRef } from 'react';
import type { OneClickState } from '../../../shared/model/live.ts';
import { useAnnouncer } from '../../components/announcer.tsx';
import type { AirStatus } from '../../status/air-status.ts';

/** Says each change of the large state once, politely, and a failure at once; what stood when Studio opened is read, not said. */
export function useAnnouncedState(status: AirStatus, streamName: string, oneClick: OneClickState): void {
  const { politely, assertively } = useAnnouncer();
  const failure = oneClick.kind === 'failed' ? oneClick.sentence : undefined;
  const said = useRef({ word: status.word, failure });
  useEffect(() => {
    if (said.current.word !== status.word) politely(`${streamName}: ${status.word}`);
    if (failure !== undefined && said.current.failure !== failure) assertively(failure);
    said.current = { word: status.word, failure };
  }, [status.word, failure, streamName, politely, assertively]);
}
