import type { AirState, RenditionView } from '../../../shared/model/live.ts';
import { RenditionMark } from '../../components/rendition-mark.tsx';
import { describeMeasured, describeRendition, formatPictureSize } from '../../status/rendition-status.ts';
import styles from './rendition-list.module.css';

interface RenditionListProps {
  renditions: readonly RenditionView[];
  air: AirState;
  /** Whether the service doesn't answer. */
  isUnheard: boolean;
}

/** Every rendition with its state: its measurements against its profile, or why it is missing. */
export function RenditionList({ renditions, air, isUnheard }: RenditionListProps) {
  if (renditions.length === 0) return null;
  return (
    <section className={styles.ladder} aria-label="Renditions">
      <h3 className={styles.title}>Renditions</h3>
      <ul className={styles.list}>
        {renditions.map((rendition) => {
          const status = describeRendition(rendition.state, air, isUnheard);
          return (
            <li key={rendition.asked.name} className={styles.row} data-state={rendition.state}>
              <b className={styles.name} dir="auto" title={rendition.asked.name}>
                {rendition.asked.name}
              </b>
              <span className={styles.size}>{formatPictureSize(rendition)}</span>
              <RenditionMark status={status} />
              <small className={styles.facts}>{status.sentence ?? describeMeasured(rendition)}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
