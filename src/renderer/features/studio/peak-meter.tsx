import { formatLevel } from '../../../shared/words/quantities.ts';
import { clampLevel, litZones, meterFloorDb } from './meter-scale.ts';
import styles from './peak-meter.module.css';

interface PeakMeterProps {
  name: string;
  unit: 'dBTP' | 'dBFS';
  /** Undefined while nothing is measured: the bar is dark. */
  peakDb: number | undefined;
  /** Whether it rises, or grows to the right. */
  isUpright?: boolean;
}

/** The peak of one channel as a bar that fills its positioned parent, from −60 to 0 dB. */
export function PeakMeter({ name, unit, peakDb, isUpright = false }: PeakMeterProps) {
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
    </svg>
  );
  if (peakDb === undefined) return bar;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> has one colour, and the same in every theme
    <div
      className={styles.meter}
      role="meter"
      aria-label={name}
      aria-valuemin={meterFloorDb}
      aria-valuemax={0}
      aria-valuenow={clampLevel(peakDb)}
      aria-valuetext={peakDb < meterFloorDb ? `below ${formatLevel(meterFloorDb)} ${unit}` : `${formatLevel(peakDb)} ${unit}`}
    >
      {bar}
    </div>
  );
}
