import { type Ref, useState } from 'react';
import type { AudioMeter } from '../../../shared/model/audio-meter.ts';
import { describeUnmeasured } from '../../../shared/words/audio-words.ts';
import { formatLevel } from '../../../shared/words/quantities.ts';
import unseenStyles from '../../components/unseen.module.css';
import { unknownValue } from '../../format/quantity.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { meterFloorDb, nameChannel } from './meter-scale.ts';
import { type HeldPeak, holdPeak, wasOver } from './peak-hold.ts';
import { PeakMeter } from './peak-meter.tsx';
import styles from './sound-meter.module.css';

/** The reason for a missing measurement: before the first, and while none arrives. */
const notNow = "The sound isn't being measured.";

interface SoundMeterProps {
  /** Undefined while nothing is measured. */
  meter: AudioMeter | undefined;
  /** How many bars there are before anything is measured. */
  channels: number;
  ref?: Ref<HTMLElement>;
}

/** How loud sound is: the true peak of each channel, and the loudness of the last 0.4 s and 3 s. */
export function SoundMeter({ meter, channels, ref }: SoundMeterProps) {
  const isLost = useIsContactLost();
  const known = isLost ? undefined : meter;
  const measured = known?.kind === 'measured' ? known : undefined;
  const peaks = measured?.truePeaksDbtp ?? Array<undefined>(channels).fill(undefined);
  const marks = usePeakMarks(measured);
  const why = known?.kind === 'unmeasured' ? describeUnmeasured(known) : notNow;

  return (
    <section className={styles.meter} ref={ref} aria-label="Sound meter" title={measured ? undefined : why}>
      <div className={styles.bars}>
        {peaks.map((peak, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a channel is known by its number
          <div key={index} className={styles.channel}>
            <OverMark isLit={marks[index]?.isOver === true} />
            <div className={styles.bar}>
              <PeakMeter name={nameChannel(index, peaks.length)} unit="dBTP" peakDb={peak} {...marks[index]} isUpright />
            </div>
          </div>
        ))}
      </div>
      <dl className={styles.loudness}>
        <Loudness letter="M" name="Momentary loudness" lufs={measured?.momentaryLufs} />
        <Loudness letter="S" name="Short-term loudness" lufs={measured?.shortTermLufs} />
      </dl>
      <small className={styles.unit}>LUFS</small>
      {measured ? null : <p className={unseenStyles.unseen}>{why}</p>}
    </section>
  );
}

/** The lamp above a bar, lit if the channel was recently over 0 dB; the bar's own text says so, too. */
function OverMark({ isLit }: { isLit: boolean }) {
  return <span className={styles.over} data-lit={isLit || undefined} title={isLit ? 'Was over 0 dBTP: it clips' : undefined} />;
}

/** The marks of each channel: its highest recent peak, and whether it was over 0 dB. They follow the measurements. */
function usePeakMarks(measured: Measured | undefined): { heldDb: number; isOver: boolean }[] {
  const [{ of, held, marks }, setState] = useState<PeakMarks>({ of: undefined, held: [], marks: [] });
  if (measured === of) return marks;
  const now = performance.now();
  const next = measured?.truePeaksDbtp.map((peakDb, index) => holdPeak(held[index], peakDb, now)) ?? [];
  const shown = next.map((each) => ({ heldDb: each.peakDb, isOver: wasOver(each, now) }));
  setState({ of: measured, held: next, marks: shown });
  return shown;
}

type Measured = Extract<AudioMeter, { kind: 'measured' }>;

interface PeakMarks {
  of: Measured | undefined;
  held: readonly HeldPeak[];
  marks: { heldDb: number; isOver: boolean }[];
}

/** One loudness; `letter` is what meters call it (EBU Tech 3341 §2.2). */
function Loudness({ letter, name, lufs }: { letter: string; name: string; lufs: number | undefined }) {
  return (
    <div className={styles.row} title={name}>
      <dt className={styles.letter}>
        <span aria-hidden>{letter}</span>
        <span className={unseenStyles.unseen}>{name}</span>
      </dt>
      <dd className={styles.value}>{lufs === undefined ? unknownValue : formatLoudness(lufs)}</dd>
    </div>
  );
}

/** Always with tenths, so that the number doesn't move. The loudness of silence differs from meter to meter, and nobody needs it. */
function formatLoudness(lufs: number): string {
  return lufs < meterFloorDb ? `< ${formatLevel(meterFloorDb)}` : lufs.toFixed(1).replace('-', '−');
}
