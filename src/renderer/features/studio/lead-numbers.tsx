import { useSyncExternalStore } from 'react';
import { findCoarseBitrate } from '../../../shared/coarse-picture.ts';
import { isArriving } from '../../../shared/is-arriving.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { formatAge } from '../../format/age.ts';
import { unknownValue } from '../../format/quantity.ts';
import { useNow } from '../../hooks/use-now.ts';
import { isElsewhere } from '../../status/is-elsewhere.ts';
import { useStore } from '../../store/store-context.tsx';
import { currentMeters } from './current-meters.ts';
import { describeLead } from './describe-lead.ts';
import styles from './lead-numbers.module.css';

/** Older measurements are greyed out and show their age, in milliseconds. */
const staleMs = 5_000;

/** The four numbers a streamer looks for. Unknown ones are a dash; old ones are grey with their age. */
export function LeadNumbers({ live, clockOffsetMs }: { live: StreamLive; clockOffsetMs: number }) {
  const { playback } = useStore();
  const facts = useSyncExternalStore(playback.subscribe, playback.get);
  const now = useNow(1_000) + clockOffsetMs;
  const { latency, stream, oneClick, verdict } = live;
  const meters = currentMeters(live);
  // Media sent from here to another computer is measured here, whatever arrives there.
  const isCurrent = isElsewhere(live) ? oneClick.kind === 'running' : isArriving(stream.air);
  const isCoarse = findCoarseBitrate(oneClick) !== undefined;
  const isStale = meters !== undefined && (!isCurrent || now - meters.measuredAt > staleMs);
  return (
    <div className={styles.lead} data-stale={isStale || undefined}>
      <dl className={styles.numbers}>
        {describeLead(meters, latency, facts, { isCoarse, worst: verdict?.severity ?? 'good' }).map(
          ({ name, value, unit, note, severity }) => (
            <div key={name} data-severity={severity}>
              <dt>{name}</dt>
              <dd>
                {value === undefined ? (
                  unknownValue
                ) : (
                  <>
                    <span className={styles.figure}>
                      {severity === 'good' || isStale ? null : <SeverityIcon severity={severity} size={16} named />}
                      <span>{value}</span>
                      {unit === undefined ? null : <small>{` ${unit}`}</small>}
                    </span>
                    {note === undefined ? null : <small>{` ${note}`}</small>}
                  </>
                )}
              </dd>
            </div>
          ),
        )}
      </dl>
      {isStale ? <p className={styles.age}>{`Last measured ${formatAge(meters.measuredAt, now)}`}</p> : null}
    </div>
  );
}
