import { useCallback, useEffect, useRef } from 'react';
import type { Verdict } from '../../shared/model/verdict.ts';
import { useAnnouncer } from '../components/announcer.tsx';
import { type AirStatus, nameForTitle } from '../status/air-status.ts';
import { announceVerdict, troubleOf } from '../status/announcement.ts';

/**
 * Announces each change of the large state and of the verdict once: bad ones immediately, others at the next pause. The announcement
 * of a trouble is withdrawn when it is over, so that nobody who reads the page later takes it for current.
 *
 * The state at opening isn't announced: screen readers read it.
 *
 * @param status undefined while this page can't know it, which `ContactAlerts` announces
 */
export function useAnnouncedState(status: AirStatus | undefined, verdict: Verdict | undefined, streamName: string): void {
  const { politely, assertively } = useAnnouncer();
  const word = status && nameForTitle(status);
  const isUnknown = status === undefined;
  // Announced elsewhere: at once in every place, or by the lost broadcast's card.
  const isLost = status?.kind === 'lost';
  const saidWord = useRef(word);
  useEffect(() => {
    if (isUnknown || saidWord.current === word) return;
    saidWord.current = word;
    if (!isLost) politely(`${streamName}: ${word}`);
  }, [isUnknown, isLost, word, streamName, politely]);

  const said = useRef(troubleOf(verdict));
  /** Each withdraws one announcement of the current trouble: it is announced once, and again when it gets worse. */
  const withdrawals = useRef<(() => void)[]>([]);
  const withdrawAll = useCallback(() => {
    for (const withdraw of withdrawals.current.splice(0)) withdraw();
  }, []);
  useEffect(() => {
    if (isUnknown) return;
    const { sentence, isUrgent, ...next } = announceVerdict(said.current, verdict);
    if (next.said.title !== said.current.title) withdrawAll();
    said.current = next.said;
    if (sentence !== undefined) withdrawals.current.push((isUrgent ? assertively : politely)(sentence));
  }, [isUnknown, verdict, politely, assertively, withdrawAll]);
  useEffect(() => withdrawAll, [withdrawAll]);
}
