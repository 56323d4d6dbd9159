import { useCallback, useEffect, useRef } from 'react';
import { isolateName } from '../../shared/isolate-name.ts';
import type { StreamLive, StreamView } from '../../shared/model/views.ts';
import { type AirStatus, nameForTitle } from '../status/air-status.ts';
import { announceVerdict, isSameTrouble, nothingSaid, troubleOf } from '../status/announcement.ts';
import { useAnnouncer } from './use-announcer.ts';
import { useClockOffset } from './use-clock-offset.ts';

const nothingJudged: Partial<StreamLive> = {};

/**
 * Announces each change of the large state and of the verdict once: bad ones immediately, others at the next pause. The announcement of a
 * trouble is withdrawn when it is over, so that a later reader doesn't take it for current. Switching to another stream changes both.
 *
 * The state at opening isn't announced: screen readers read it.
 *
 * @param status undefined while this page can't know it, which `ContactAlerts` announces
 * @param judged the source of the verdict; `unread` until it is known, which is not news at opening
 * @param stream undefined if the state is about all streams
 */
export function useAnnouncedState(
  status: AirStatus | undefined,
  judged: Pick<StreamLive, 'verdict' | 'oneClick'> | 'unread' | undefined,
  stream: Pick<StreamView, 'id' | 'name'> | undefined,
): void {
  const { politely, assertively } = useAnnouncer();
  const word = status && nameForTitle(status);
  const isUnknown = status === undefined;
  // Announced elsewhere: at once on every screen, or by the lost broadcast's card.
  const isLost = status?.kind === 'lost';
  const { id, name = 'Tallylight' } = stream ?? {};
  const saidState = useRef({ id, word });
  useEffect(() => {
    if (isUnknown || (saidState.current.id === id && saidState.current.word === word)) return;
    saidState.current = { id, word };
    if (!isLost) politely(`${isolateName(name)}: ${word}`);
  }, [isUnknown, isLost, word, id, name, politely]);

  const clockOffsetMs = useClockOffset();
  const isUnread = judged === 'unread';
  const { verdict, oneClick } = judged === 'unread' || judged === undefined ? nothingJudged : judged;
  const failedAt = oneClick?.kind === 'failed' ? oneClick.at : undefined;
  /** Undefined until the first verdict is known. */
  const said = useRef(isUnread ? undefined : troubleOf(verdict, failedAt));
  const saidOf = useRef(id);
  /** Functions that withdraw the announcements of the current trouble: it is announced once, and again when it gets worse. */
  const withdrawals = useRef<(() => void)[]>([]);
  const withdrawAll = useCallback(() => {
    for (const withdraw of withdrawals.current.splice(0)) withdraw();
  }, []);
  useEffect(() => {
    if (isUnknown) return;
    if (saidOf.current !== id) {
      saidOf.current = id;
      said.current = nothingSaid;
      withdrawAll();
    }
    if (isUnread) return;
    said.current ??= troubleOf(verdict, failedAt);
    const { sentence, isUrgent, ...next } = announceVerdict(said.current, verdict, clockOffsetMs, failedAt);
    if (!isSameTrouble(next.said, said.current)) withdrawAll();
    said.current = next.said;
    if (sentence !== undefined) withdrawals.current.push((isUrgent ? assertively : politely)(sentence));
  }, [isUnknown, id, isUnread, verdict, failedAt, clockOffsetMs, politely, assertively, withdrawAll]);
  useEffect(() => withdrawAll, [withdrawAll]);
}
