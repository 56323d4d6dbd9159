import { AirMark } from '../../components/air-mark.tsx';
import { AirTimer } from '../../components/air-timer.tsx';
import { StatusStrip } from '../../components/status-strip.tsx';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import { useNow } from '../../hooks/use-now.ts';
import { formatRoute } from '../../routing/route.ts';
import { broadcastSince, describeAir, noContact } from '../../status/air-status.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './on-air-summary.module.css';

/** The status bar of places that are not one stream's: what is on air, and the way to it. */
export function OnAirSummary() {
  const streams = useLiveValue(useStore().streams);
  const isLost = useLostContact() !== undefined;
  const now = useNow(500);
  const live = streams.kind === 'known' ? streams.value.filter((stream) => stream.air.kind !== 'off-air') : [];
  const first = live.find((stream) => stream.air.kind === 'on-air') ?? live[0];

  if (isLost) {
    return (
      <StatusStrip isOnAir={false}>
        <AirMark status={noContact} size="large" />
        <span className={styles.quiet}>Whether a stream is on air is not known.</span>
      </StatusStrip>
    );
  }
  if (first === undefined) {
    return (
      <StatusStrip isOnAir={false}>
        {streams.kind === 'known' ? (
          <>
            <AirMark status={{ kind: 'off-air', word: 'Off air' }} size="large" />
            <span className={styles.quiet}>Nothing is on air.</span>
          </>
        ) : null}
      </StatusStrip>
    );
  }
  const since = broadcastSince(first.air);
  return (
    <StatusStrip isOnAir={first.air.kind === 'on-air'}>
      <span className={styles.name}>{first.name}</span>
      <AirMark status={describeAir(first.air, false)} size="large" />
      <AirTimer sinceMs={since} nowMs={now} />
      {live.length > 1 ? <span className={styles.quiet}>and {live.length - 1} more</span> : null}
      <span className={styles.grow} />
      <a className={styles.open} href={formatRoute({ kind: 'studio', streamId: first.id })}>
        Open Studio
      </a>
    </StatusStrip>
  );
}
