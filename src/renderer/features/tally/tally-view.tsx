import { useRef } from 'react';
import type { StreamLive, StreamView } from '../../../shared/model/views.ts';
import { AirMark } from '../../components/air-mark.tsx';
import { Button } from '../../components/button.tsx';
import { SessionEnded } from '../../components/session-ended.tsx';
import unseenStyles from '../../components/unseen.module.css';
import { formatClock } from '../../format/duration.ts';
import { useAnnouncedState } from '../../hooks/use-announced-state.ts';
import { useClockOffset } from '../../hooks/use-clock-offset.ts';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useRestingPointer } from '../../hooks/use-resting-pointer.ts';
import { goTo } from '../../hooks/use-route.ts';
import { useShortcut } from '../../hooks/use-shortcut.ts';
import {
  type AirStatus,
  describeAir,
  formatAway,
  isCounted,
  nameForTitle,
  noContact,
  offAir,
  pickMostUrgent,
} from '../../status/air-status.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './tally-view.module.css';
import { useScreenToItself } from './use-screen-to-itself.ts';

/** A window that is nothing but the colour, the state and the time: of one stream, or of the one that matters most. */
export function TallyView({ streamId }: { streamId: string | undefined }) {
  const streams = useLiveValue(useStore().streams);
  const all = streams.kind === 'known' ? streams.value : [];
  const stream = streamId === undefined ? pickMostUrgent(all)?.stream : all.find(({ id }) => id === streamId);
  const leave = () => goTo(streamId === undefined ? { kind: 'streams' } : { kind: 'studio', streamId });
  if (stream === undefined) {
    return <Light name="Tallylight" status={offAir} live={undefined} clockOffsetMs={0} onLeave={leave} />;
  }
  return <StreamLight key={stream.id} stream={stream} onLeave={leave} />;
}

/** The stream's own news have the service's clock and the verdict, which the list has not. */
function StreamLight({ stream, onLeave }: { stream: StreamView; onLeave: () => void }) {
  const known = useLiveValue(useStore().stream(stream.id));
  const live = known.kind === 'known' ? known.value : undefined;
  const clockOffsetMs = useClockOffset(live?.now ?? 0, known.kind === 'known' ? known.receivedAtMs : 0);
  return <Light name={stream.name} status={describeAir(stream)} live={live} clockOffsetMs={clockOffsetMs} onLeave={onLeave} />;
}

interface LightProps {
  name: string;
  status: AirStatus;
  live: StreamLive | undefined;
  clockOffsetMs: number;
  onLeave: () => void;
}

function Light({ name, status: heard, live, clockOffsetMs, onLeave }: LightProps) {
  const frame = useRef<HTMLElement>(null);
  const status = useLostContact() === undefined ? heard : noContact;
  const isRefused = useConnectionState().kind === 'refused';
  const isResting = useRestingPointer(frame);
  const now = useNow(250, isCounted(status)) + clockOffsetMs;
  const severity = status.kind === 'on-air' ? live?.verdict?.severity : undefined;
  useDocumentTitle(`${nameForTitle(status)} — ${name}`);
  useAnnouncedState(status, live?.verdict, name);
  useScreenToItself(onLeave);
  useShortcut({ key: 'Escape', withCommand: false }, onLeave);
  useShortcut({ key: 't', withCommand: false }, onLeave);
  const time = formatAway(status, now) ?? (status.onAirSince === undefined ? undefined : formatClock(now - status.onAirSince));

  return (
    <main
      className={styles.light}
      ref={frame}
      id="main"
      tabIndex={-1}
      data-tone={status.tone}
      data-warned={(severity !== undefined && severity !== 'good') || undefined}
      data-resting={isResting || undefined}
    >
      <h1 className={unseenStyles.unseen}>{name}: tally view</h1>
      <p className={styles.state} data-long={status.word.length > 10 || undefined}>
        <AirMark status={status} size="huge" />
      </p>
      <p className={styles.time} role="timer">
        {time}
      </p>
      {isRefused ? (
        <p className={styles.ended}>
          <SessionEnded />
        </p>
      ) : null}
      <span className={styles.leave}>
        <Button onClick={onLeave}>Leave tally view</Button>
      </span>
    </main>
  );
}
