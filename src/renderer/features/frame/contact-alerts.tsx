import { useEffect, useRef } from 'react';
import { describeWayBack } from '../../../shared/words/way-in-words.ts';
import { useAnnouncer } from '../../hooks/use-announcer.ts';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useStore } from '../../store/store-context.tsx';

/** Announces to screen readers, wherever the user is, that the page has lost the service, has it back, or that its session has ended. */
export function ContactAlerts() {
  const { politely } = useAnnouncer();
  const isLost = useIsContactLost(useStore().streams);
  const wasLost = useRef(false);
  const isRefused = useConnectionState().kind === 'refused';
  useEffect(() => {
    if (isLost === wasLost.current) return;
    wasLost.current = isLost;
    politely(isLost ? 'Lost connection to the service, reconnecting' : 'The service is back');
  }, [isLost, politely]);
  useEffect(() => {
    if (isRefused) politely(`This page's session has ended. ${describeWayBack(window.location.origin)}`);
  }, [isRefused, politely]);
  return null;
}
