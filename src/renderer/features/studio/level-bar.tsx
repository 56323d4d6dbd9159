import type { ChannelLevel } from '../../../shared/model/capture.ts';
import styles from './level-bar.module.css';
import { nameChannel } from './meter-scale.ts';
import { PeakMeter } from './peak-meter.tsx';

/** The levels of a sound as thin bars, one for each channel. Without levels they are dark. */
export function LevelBars({ of, levels }: { of: string; levels: readonly ChannelLevel[] | undefined }) {
  const bars: readonly (ChannelLevel | undefined)[] =
    levels === undefined || levels.length === 0 ? [undefined, undefined] : levels;
  return (
    <div className={styles.bars}>
      {bars.map((level, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a channel is known by its number
        <div key={index} className={styles.channel}>
          <PeakMeter name={`${of}, ${nameChannel(index, bars.length).toLowerCase()}`} unit="dBFS" peakDb={level?.peakDb} />
        </div>
      ))}
    </div>
  );
}
