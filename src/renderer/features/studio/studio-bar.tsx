import { Pencil, Radio, Square } from 'lucide-react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { AirMark } from '../../components/air-mark.tsx';
import { AirTimer } from '../../components/air-timer.tsx';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { StatusStrip } from '../../components/status-strip.tsx';
import { formatAge } from '../../format/age.ts';
import { useNow } from '../../hooks/use-now.ts';
import { goTo } from '../../hooks/use-route.ts';
import { type AirStatus, broadcastSince, describeBroadcast, isBroadcasting } from '../../status/air-status.ts';
import styles from './studio-bar.module.css';
import type { Broadcast } from './use-broadcast.ts';

interface StudioBarProps {
  live: StreamLive;
  status: AirStatus;
  /** Since when the service is not heard, by the page's clock; undefined while it is. */
  lostContactMs: number | undefined;
  clockOffsetMs: number;
  broadcast: Broadcast;
}

/** The state, the time on air, and the one large button, which never moves. */
export function StudioBar({ live, status, lostContactMs, clockOffsetMs, broadcast }: StudioBarProps) {
  const { stream, oneClick } = live;
  const now = useNow(250) + clockOffsetMs;
  const since = lostContactMs === undefined ? broadcastSince(stream.air) : undefined;
  return (
    <StatusStrip isOnAir={status.kind === 'on-air'}>
      <span className={styles.title}>
        <h1 className={styles.name} title={stream.name}>
          {stream.name}
        </h1>
        <IconButton
          label="Edit stream"
          icon={<Pencil aria-hidden />}
          onClick={() => goTo({ kind: 'edit-stream', streamId: stream.id })}
        />
      </span>
      <AirMark status={status} size="large" />
      <AirTimer sinceMs={since} nowMs={now} />
      <span className={styles.note}>
        {lostContactMs === undefined ? describeWait(live, now) : describeLast(live, lostContactMs, now - clockOffsetMs)}
      </span>
      <span className={styles.grow} />
      {oneClick.kind === 'stopping' || broadcast.stopNow.isPending ? (
        <Button size="large" icon={<Square aria-hidden fill="currentColor" />} isPending>
          Stopping
        </Button>
      ) : isBroadcasting(stream.air, oneClick) ? (
        <Button
          size="large"
          icon={<Square aria-hidden fill="currentColor" />}
          aria-keyshortcuts="Control+."
          onClick={broadcast.stop}
        >
          Stop
        </Button>
      ) : (
        <Button
          kind="primary"
          size="large"
          icon={<Radio aria-hidden />}
          isPending={broadcast.start.isPending}
          aria-disabled={broadcast.isBlocked || undefined}
          aria-keyshortcuts="Control+Enter"
          onClick={broadcast.goLive}
        >
          Go live
        </Button>
      )}
    </StatusStrip>
  );
}

/** What is waited for, and for how long still. */
function describeWait({ stream, oneClick }: StreamLive, now: number): string | undefined {
  if (oneClick.kind === 'retrying') return `attempt ${oneClick.attempt}, in ${secondsUntil(oneClick.retryAt, now)} s`;
  if (stream.air.kind === 'reconnecting') return `ends in ${secondsUntil(stream.air.until, now)} s`;
  return undefined;
}

/** What the stream was when the service was last heard, and how long ago that is. */
function describeLast({ stream, oneClick }: StreamLive, lostContactMs: number, nowMs: number): string {
  const { word } = describeBroadcast(stream.air, oneClick, stream.suspended === true);
  return `was ${word.toLowerCase()} ${formatAge(lostContactMs, nowMs)}`;
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
