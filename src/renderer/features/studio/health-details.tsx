import type { StreamLive } from '../../../shared/model/views.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { unknownValue } from '../../format/quantity.ts';
import { useNow } from '../../hooks/use-now.ts';
import styles from './health-details.module.css';
import { listDetails } from './list-details.ts';
import { RenditionList } from './rendition-list.tsx';

interface HealthDetailsProps {
  live: StreamLive;
  /** Whether the service doesn't answer. */
  isUnheard: boolean;
  clockOffsetMs: number;
}

/** The exact numbers, on click: each rendition, then all measurements and counts. */
export function HealthDetails({ live, isUnheard, clockOffsetMs }: HealthDetailsProps) {
  return (
    <Disclosure title="Details">
      <RenditionList renditions={live.renditions} air={live.stream.air} isUnheard={isUnheard} />
      <Numbers live={live} clockOffsetMs={clockOffsetMs} />
    </Disclosure>
  );
}

function Numbers({ live, clockOffsetMs }: Omit<HealthDetailsProps, 'isUnheard'>) {
  const now = useNow(1_000) + clockOffsetMs;
  return (
    <dl className={styles.numbers}>
      {listDetails(live, now).map(({ name, value }) => (
        <div className={styles.row} key={name}>
          <dt>{name}</dt>
          <dd>{value ?? unknownValue}</dd>
        </div>
      ))}
    </dl>
  );
}
