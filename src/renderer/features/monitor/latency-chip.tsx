import { Popover } from '@base-ui/react/popover';
import { formatCount } from '../../../shared/format-count.ts';
import type { LatencyView } from '../../../shared/model/live.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import chipStyles from '../../components/picture-chip.module.css';
import popupStyles from '../../components/popup.module.css';
import { unknownValue } from '../../format/quantity.ts';
import { describeLatency } from '../../status/latency-words.ts';
import { breakDownLatency } from './latency-breakdown.ts';
import styles from './latency-chip.module.css';
import type { MeasuredLatency } from './latency-window.ts';

interface LatencyChipProps {
  measured: MeasuredLatency;
  latency: LatencyView | undefined;
  /** Whether what plays was transcoded. */
  isRendition: boolean;
  container: HTMLElement | null;
}

/** The latency of the current frame, with its breakdown on click or hover. */
export function LatencyChip({ measured, latency, isRendition, container }: LatencyChipProps) {
  const seconds = withUnit((measured.totalMs / 1000).toFixed(1), 's');
  const { name, sentence } = describeLatency(latency);
  const parts = breakDownLatency(measured, latency, isRendition);
  return (
    <Popover.Root>
      <Popover.Trigger className={`${chipStyles.chip} ${styles.chip}`} openOnHover delay={200} closeDelay={100}>
        {`${seconds} ${name}`}
      </Popover.Trigger>
      <Popover.Portal container={container}>
        <Popover.Positioner className={popupStyles.positioner} side="bottom" align="start" sideOffset={6}>
          <Popover.Popup className={popupStyles.popup}>
            <div className={styles.body}>
              <Popover.Title className={styles.title}>{`${seconds} ${name}`}</Popover.Title>
              <dl className={styles.parts}>
                {parts.map((part) => (
                  <div key={part.name} className={styles.part} data-before={part.isBefore || undefined}>
                    <dt>{part.name}</dt>
                    <dd>{part.ms === undefined ? unknownValue : withUnit(formatCount(part.ms), 'ms')}</dd>
                  </div>
                ))}
              </dl>
              <Popover.Description className={styles.note}>{sentence}</Popover.Description>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
