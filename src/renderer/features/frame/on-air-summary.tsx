import type { StreamView } from '../../../shared/model/views.ts';
import { AirMark } from '../../components/air-mark.tsx';
import { AirTimer } from '../../components/air-timer.tsx';
import { StatusStrip } from '../../components/status-strip.tsx';
import { useAirSummary } from '../../hooks/use-air-summary.ts';
import { useClockOffset } from '../../hooks/use-clock-offset.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useStreamsAround } from '../../hooks/use-service-streams.ts';
import { formatRoute } from '../../routing/route.ts';
import { describeAir, describeOthers, formatAirNote, isWarned, noContact } from '../../status/air-status.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './on-air-summary.module.css';

/**
 * The status bar of places that aren't about one stream: what is on air or in trouble, with a link to it. With a `serviceId`, streams of
 * that remote service too, whoever sends them.
 */
export function OnAirSummary({ serviceId }: { serviceId: string | undefined }) {
  const { streams } = useStreamsAround(serviceId);
  const shown = useAirSummary(serviceId);
  if (shown.kind === 'nothing-known') return <StatusStrip tone="calm" />;
  if (shown.kind === 'status') {
    const { status } = shown;
    return (
      <StatusStrip
        tone={status.tone}
        {...(status === noContact && { name: <span className={styles.quiet}>Can't tell what is on air.</span> })}
        state={<AirMark status={status} size="large" />}
      />
    );
  }
  const { stream } = shown;
  const others = describeOthers(streams.filter(({ id }) => id !== stream.id));
  return <StreamSummary key={stream.id} stream={stream} others={others} />;
}

/** The verdict is only in the stream's own live value, not in the list. */
function StreamSummary({ stream, others }: { stream: StreamView; others: string | undefined }) {
  const live = useLiveValue(useStore().stream(stream.id));
  const clockOffsetMs = useClockOffset();
  const now = useNow(500) + clockOffsetMs;
  const status = describeAir(stream);
  const isAmber = isWarned(status, live.kind === 'known' ? live.value.verdict : undefined);
  const note = [formatAirNote(status, now, clockOffsetMs), others].filter(Boolean);
  return (
    <StatusStrip
      tone={isAmber ? 'warn' : status.tone}
      name={<span className={styles.name}>{stream.name}</span>}
      note={note.join(' · ')}
      state={
        <>
          <AirMark status={status} size="large" nowMs={now} isWarned={isAmber} />
          <AirTimer status={status} nowMs={now} />
        </>
      }
      actions={
        <a className={styles.open} href={formatRoute({ kind: 'studio', streamId: stream.id })}>
          Open Studio
        </a>
      }
    />
  );
}
