import { useEffect, useState } from 'react';
import { formatCount } from '../../../shared/format-count.ts';
import { formatDuration } from '../../../shared/format-duration.ts';
import type { SessionView, StreamLive } from '../../../shared/model/views.ts';
import { endWords } from '../../../shared/words/end-words.ts';
import { unreachedCode } from '../../client/failure.ts';
import { AirMark } from '../../components/air-mark.tsx';
import { Notice } from '../../components/notice.tsx';
import tableStyles from '../../components/table.module.css';
import { formatDayAndTime } from '../../format/moment.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useNow } from '../../hooks/use-now.ts';
import type { AirStatus } from '../../status/air-status.ts';
import { formatOnAir } from '../../status/ended-broadcast.ts';
import styles from './session-list.module.css';
import smallTitleStyles from './small-title.module.css';

interface SessionListProps {
  streamId: string;
  /** Changes whenever the list may have changed. */
  changeKey: string;
  clockOffsetMs: number;
  /** The counters of the running broadcast, newer than the list's. */
  current: StreamLive['session'];
  /** The stream's current state, and so that of a running session. */
  air: AirStatus;
  /** When the running session began, by the service's clock; undefined without one. */
  onAirSince: number | undefined;
}

/** The stream's broadcasts, newest first. */
export function SessionList({ streamId, changeKey, clockOffsetMs, current, air, onAirSince }: SessionListProps) {
  const [sessions, setSessions] = useState<SessionView[]>();
  const connection = useConnectionState();
  const list = useAction(async (client, left: AbortSignal) => {
    const next = await client.session.list({ streamId });
    // Answers may arrive out of order: only the last request counts.
    if (!left.aborted) setSessions(next);
  });
  const { run } = list;
  // Studio says that the service can't be reached; the list comes when it is back.
  const refusal = list.failure?.code === unreachedCode ? undefined : list.failure?.sentence;
  const isOpen = connection.kind === 'open';
  // Without contact nobody knows whether the session still runs.
  const now = useNow(1_000, onAirSince !== undefined && air.kind !== 'unknown') + clockOffsetMs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: changeKey says when to ask again
  useEffect(() => {
    if (!isOpen) return;
    const left = new AbortController();
    void run(left.signal);
    return () => left.abort();
  }, [run, isOpen, changeKey]);

  return (
    <section className={styles.sessions} aria-labelledby="sessions">
      <h2 className={smallTitleStyles.title} id="sessions">
        Sessions
      </h2>
      {refusal === undefined || sessions !== undefined ? null : <Notice severity="bad">{refusal}</Notice>}
      {sessions?.length === 0 ? (
        <p className={styles.empty}>No broadcasts yet. They'll be listed here, with how each ended.</p>
      ) : null}
      {sessions === undefined || sessions.length === 0 ? null : (
        <table className={`${tableStyles.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">Started</th>
              <th scope="col">Length</th>
              <th scope="col">Segments</th>
              <th scope="col">Ended</th>
            </tr>
          </thead>
          <tbody>
            {sessions
              .map((listed) => withNewer(listed, current))
              .map((session) => (
                <tr key={session.id}>
                  <td>{formatDayAndTime(session.createdAt - clockOffsetMs)}</td>
                  <td>{formatLength(session, session.id === current?.id ? onAirSince : undefined, now)}</td>
                  <td>{formatCount(session.sourceSegments)}</td>
                  <td>
                    {session.isActive ? (
                      <AirMark status={air} size="small" />
                    ) : session.endReason === undefined ? (
                      '–'
                    ) : (
                      [endWords[session.endReason], session.endedBy].filter(Boolean).join(': ')
                    )}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/**
 * How long viewers have or had the broadcast, as everywhere else; if unknown, how much media they got. `onAirSince` is the running
 * session's, by the service's clock.
 */
function formatLength({ onAirMs, sourceSegmentsDuration }: SessionView, onAirSince: number | undefined, nowMs: number): string {
  if (onAirSince !== undefined) return formatDuration(Math.max(0, Math.floor((nowMs - onAirSince) / 1000)));
  return onAirMs === undefined ? formatDuration(sourceSegmentsDuration) : formatOnAir({ onAirMs });
}

function withNewer(session: SessionView, current: StreamLive['session']): SessionView {
  return session.id === current?.id ? { ...session, ...current } : session;
}
