import type { StreamView } from '../../../shared/model/views.ts';
import { AirAlerts } from '../../components/air-alerts.tsx';
import { AirMark } from '../../components/air-mark.tsx';
import { AirTimer } from '../../components/air-timer.tsx';
import { StatusStrip } from '../../components/status-strip.tsx';
import { useAirSummary } from '../../hooks/use-air-summary.ts';
import { useClockOffset } from '../../hooks/use-clock-offset.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useRemoteServices } from '../../hooks/use-remote-services.ts';
import { useStreamsAround } from '../../hooks/use-service-streams.ts';
import { formatRoute } from '../../routing/route.ts';
import { type AirStatus, describeAir, describeOthers, formatAirNote, noContact } from '../../status/air-status.ts';
import { type AirSummary, describeUnheard, formatSummaryNote } from '../../status/summarize-air.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './on-air-summary.module.css';

/**
 * The status bar of screens that aren't about one stream: a stream on air or in trouble, with a link to it. With a `serviceId`, also
 * streams of that remote service, whoever sends them.
 */
export function OnAirSummary({ serviceId }: { serviceId: string | undefined }) {
  const shown = useAirSummary(serviceId);
  return (
    <>
      <AirAlerts key={serviceId} shown={shown} />
      <Summary serviceId={serviceId} shown={shown} />
    </>
  );
}

function Summary({ serviceId, shown }: { serviceId: string | undefined; shown: AirSummary }) {
  const around = useStreamsAround(serviceId);
  const services = useRemoteServices();
  if (shown.kind === 'nothing-known') return <StatusStrip tone="calm" />;
  if (shown.kind === 'status') {
    const { status } = shown;
    return (
      <StatusStrip
        tone={status.tone}
        name={status === noContact ? <span className={styles.quiet}>Can't tell what is on air.</span> : undefined}
        state={<AirMark status={status} size="large" />}
      />
    );
  }
  const { stream, isPartial } = shown;
  const others = describeOthers(around.streams.filter(({ id }) => id !== stream.id));
  const unheard = isPartial ? describeUnheard(around, serviceId, services) : undefined;
  return <StreamSummary key={stream.id} stream={stream} others={others} unheard={unheard} />;
}

interface StreamSummaryProps {
  stream: StreamView;
  /** The other active streams. */
  others: string | undefined;
  /** A note on streams whose state is unknown, if any. */
  unheard: string | undefined;
}

function StreamSummary({ stream, others, unheard }: StreamSummaryProps) {
  const isLost = useIsContactLost(useStore().stream(stream.id));
  const clockOffsetMs = useClockOffset();
  const now = useNow(500) + clockOffsetMs;
  const known = isLost ? noContact : describeAir(stream);
  const status: AirStatus = unheard !== undefined && known.kind === 'on-air' ? { ...known, isWarned: true } : known;
  const note = formatSummaryNote({ air: formatAirNote(status, now, clockOffsetMs), unheard, others });
  return (
    <StatusStrip
      tone={status.isWarned || unheard !== undefined ? 'warn' : status.tone}
      name={
        <span className={styles.name} dir="auto" title={stream.name}>
          {stream.name}
        </span>
      }
      note={note === undefined ? undefined : <span title={note}>{note}</span>}
      state={
        <>
          <AirMark status={status} size="large" nowMs={now} />
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
