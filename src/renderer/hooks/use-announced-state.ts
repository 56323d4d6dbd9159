import { useEffect, useRef } from 'react';
import type { Verdict } from '../../shared/model/live.ts';
import { useAnnouncer } from '../components/announcer.tsx';
import { type AirStatus, nameForTitle } from '../status/air-status.ts';

/**
 * Says each change of the large state and of the verdict once: bad ones at once, all others when there is a pause.
 *
 * What stood when the place opened is read, not said. That the service does not answer is the window's to say.
 */
export function useAnnouncedState(status: AirStatus, verdict: Verdict | undefined, streamName: string): void {
  const { politely, assertively } = useAnnouncer();
  const word = nameForTitle(status);
  const isUnknown = status.kind === 'unknown';
  // Said at once, in every place, or by the card that tells of it.
  const isLost = status.kind === 'lost';
  const saidWord = useRef(word);
  useEffect(() => {
    if (isUnknown || saidWord.current === word) return;
    saidWord.current = word;
    if (!isLost) politely(`${streamName}: ${word}`);
  }, [isUnknown, isLost, word, streamName, politely]);

  const { severity = 'good', title = '', sentence = '' } = verdict ?? {};
  const saidTitle = useRef(severity === 'good' ? '' : title);
  // A sentence counts seconds: only another title is news.
  const newest = useRef(sentence);
  useEffect(() => {
    newest.current = sentence;
  }, [sentence]);
  useEffect(() => {
    const trouble = severity === 'good' ? '' : title;
    if (isUnknown || saidTitle.current === trouble) return;
    saidTitle.current = trouble;
    if (trouble === '') {
      if (title !== '') politely(title);
    } else {
      const say = severity === 'bad' ? assertively : politely;
      say([`${trouble}.`, newest.current].filter(Boolean).join(' '));
    }
  }, [isUnknown, severity, title, politely, assertively]);
}
