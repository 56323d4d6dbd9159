import { formatLevel } from '../../../shared/words/quantities.ts';
import { clampLevel, litZones, meterFloorDb } from './meter-scale.ts';
import styles from './peak-meter.module.css';

interface PeakMeterProps {
  name: string;
  unit: 'dBTP' | 'dBFS';
  /** Undefined while nothing is measured: the bar is dark. */
  peakDb: number | undefined;
  /** The highest peak of the last seconds, which stays marked. */
  heldDb?: number | undefined;
  /** Whether it was recently above 0 dB. */
  isOver?: boolean;
  /** Whether it rises, or grows to the right. */
  isUpright?: boolean;
}

/** The peak of one channel as a bar that fills its positioned parent, from −60 to 0 dB. */
export function PeakMeter({ name, unit, peakDb, heldDb, isOver = false, isUpright = false }: PeakMeterProps) {
  const range = -meterFloorDb;
  const bar = (
    <svg
      className={styles.bar}
      viewBox={isUpright ? `0 0 1 ${range}` : `0 0 ${range} 1`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {litZones(peakDb ?? meterFloorDb).map(({ tone, from, to }) => {
        const zone = { className: styles.zone, 'data-tone': tone };
        return isUpright ? (
          <rect key={tone} {...zone} x="0" width="1" y={range - to} height={to - from} />
        ) : (
          <rect key={tone} {...zone} y="0" height="1" x={from} width={to - from} />
        );
      })}
      {heldDb === undefined || heldDb <= meterFloorDb ? null : <HeldMark atDb={heldDb} isUpright={isUpright} />}
    </svg>
  );
  if (peakDb === undefined) return bar;
  const level = peakDb < meterFloorDb ? `below ${formatLevel(meterFloorDb)} ${unit}` : `${formatLevel(peakDb)} ${unit}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> has one colour, and the same in every theme
    <div
      className={styles.meter}
      role="meter"
      aria-label={name}
      aria-valuemin={meterFloorDb}
      aria-valuemax={0}
      aria-valuenow={clampLevel(peakDb)}
      aria-valuetext={isOver ? `${level}, was over 0` : level}
    >
      {bar}
    </div>
  );
}

/** The mark of the highest peak. */
function HeldMark({ atDb, isUpright }: { atDb: number; isUpright: boolean }) {
  const range = -meterFloorDb;
  const at = Math.min(clampLevel(atDb) + range, range - markDb);
  return isUpright ? (
    <rect className={styles.held} x="0" width="1" y={range - at - markDb} height={markDb} />
  ) : (
    <rect className={styles.held} y="0" height="1" x={at} width={markDb} />
  );
}

/** How thick the mark is, in decibels of the scale. */
const markDb = 0.7;
