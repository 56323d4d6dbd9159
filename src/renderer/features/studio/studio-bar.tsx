import { Lightbulb, Pencil, Radio, Square } from 'lucide-react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { AirMark } from '../../components/air-mark.tsx';
import { AirTimer } from '../../components/air-timer.tsx';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { StatusStrip } from '../../components/status-strip.tsx';
import { coarseAgeStepMs } from '../../format/age.ts';
import { useNow } from '../../hooks/use-now.ts';
import { goTo } from '../../hooks/use-route.ts';
import {
  type AirStatus,
  describeAir,
  formatAirNote,
  isBroadcasting,
  isCounted,
  secondsUntil,
} from '../../status/air-status.ts';
import { describeLastState } from '../../status/last-state.ts';
import styles from './studio-bar.module.css';
import type { Broadcast } from './use-broadcast.ts';

interface StudioBarProps {
  live: StreamLive;
  status: AirStatus;
  /** When the service was last heard, by the page's clock; undefined while it is heard. */
  lostContactMs: number | undefined;
  clockOffsetMs: number;
  broadcast: Broadcast;
  onEdit: () => void;
}

/** The state, the time on air, and the one large button, which never moves. */
export function StudioBar({ live, status, lostContactMs, clockOffsetMs, broadcast, onEdit }: StudioBarProps) {
  const { stream } = live;
  return (
    <StatusStrip
      tone={status.isWarned ? 'warn' : status.tone}
      name={
        <>
          <h1 className={styles.name} dir="auto" title={stream.name}>
            {stream.name}
          </h1>
          <IconButton label="Edit stream" icon={<Pencil aria-hidden />} onClick={onEdit} />
        </>
      }
      note={<Note live={live} status={status} lostContactMs={lostContactMs} clockOffsetMs={clockOffsetMs} />}
      state={<State status={status} clockOffsetMs={clockOffsetMs} />}
      actions={
        <>
          <IconButton
            label="Tally view (T)"
            icon={<Lightbulb aria-hidden />}
            onClick={() => goTo({ kind: 'tally', streamId: stream.id })}
          />
          <MainButton live={live} broadcast={broadcast} />
        </>
      }
    />
  );
}

/** The state and its time. It counts on its own, so that its neighbours render only when they change. */
function State({ status, clockOffsetMs }: { status: AirStatus; clockOffsetMs: number }) {
  const now = useNow(250, isCounted(status)) + clockOffsetMs;
  return (
    <>
      <AirMark status={status} size="large" nowMs={now} />
      <AirTimer status={status} nowMs={now} />
    </>
  );
}

/** What happens next, or the state when the service last answered. */
function Note({ live, status, lostContactMs, clockOffsetMs }: Omit<StudioBarProps, 'broadcast' | 'onEdit'>) {
  const isCounting = isCounted(status) || live.oneClick.kind === 'retrying' || lostContactMs !== undefined;
  const now = useNow(isCounting ? 250 : coarseAgeStepMs) + clockOffsetMs;
  return lostContactMs === undefined
    ? [formatAirNote(status, now, clockOffsetMs), describeRetry(live, now), live.service && `on ${live.service.name}`]
        .filter(Boolean)
        .join(' · ')
    : describeLastState(describeAir(live.stream), lostContactMs, now - clockOffsetMs);
}

/** Go live, or Stop in the same place. */
function MainButton({ live: { stream, oneClick }, broadcast }: Pick<StudioBarProps, 'live' | 'broadcast'>) {
  const stopIcon = <Square aria-hidden fill="currentColor" />;
  if (oneClick.kind === 'stopping' || broadcast.stopNow.isPending) {
    return (
      <Button kind="bar" size="large" icon={stopIcon} isPending>
        Stopping
      </Button>
    );
  }
  if (isBroadcasting(stream.air, oneClick)) {
    return (
      <Button kind="bar" size="large" icon={stopIcon} aria-keyshortcuts="Control+." onClick={broadcast.stop}>
        Stop
      </Button>
    );
  }
  return (
    <Button
      kind="primary"
      size="large"
      icon={<Radio aria-hidden />}
      isPending={broadcast.start.isPending}
      isUnavailable={broadcast.isBlocked}
      aria-keyshortcuts="Control+Enter"
      onClick={broadcast.goLive}
    >
      Go live
    </Button>
  );
}

/** When one click tries next, or that it is trying now. */
function describeRetry({ oneClick }: StreamLive, now: number): string | undefined {
  if (oneClick.kind !== 'retrying') return undefined;
  const { attempt, retryAt } = oneClick;
  return retryAt > now
    ? `attempt ${attempt}, in ${withUnit(secondsUntil(retryAt, now), 's')}`
    : `attempt ${attempt}, connecting`;
}
