import { describeUnmeasured } from '../../../shared/words/audio-words.ts';
import { formatLevel } from '../../../shared/words/quantities.ts';
import unseenStyles from '../../components/unseen.module.css';
import { unknownValue } from '../../format/quantity.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import { useStore } from '../../store/store-context.tsx';
import { clampLevel, litZones, meterFloorDb, nameChannel } from './meter-scale.ts';
import styles from './sound-meter.module.css';

/** Why a place without a value has none. */
const notYet = 'The sound is not measured yet.';

/** How loud the broadcast is: the true peak of each channel, and the loudness of the last 3 s. */
export function SoundMeter({ streamId, channels }: { streamId: string; channels: number }) {
  const audio = useLiveValue(useStore().audio(streamId));
  const isLost = useLostContact() !== undefined;
  const meter = audio.kind === 'known' && !isLost ? audio.value.meter : undefined;
  const measured = meter?.kind === 'measured' ? meter : undefined;
  const peaks = measured?.truePeaksDbtp ?? Array<undefined>(channels).fill(undefined);
  const loudness = measured?.shortTermLufs;
  const why = meter?.kind === 'unmeasured' ? describeUnmeasured(meter) : notYet;

  return (
    <section className={styles.meter} aria-label="Sound meter" title={measured ? undefined : why}>
      <div className={styles.bars}>
        {peaks.map((peak, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a channel is known by its number
          <Bar key={index} name={nameChannel(index, peaks.length)} peak={peak} />
        ))}
      </div>
      <p className={styles.loudness}>
        <b className={styles.value}>{loudness === undefined ? unknownValue : formatLevel(loudness)}</b>
        <small className={styles.unit}>LUFS</small>
      </p>
      {measured ? null : <p className={unseenStyles.unseen}>{why}</p>}
    </section>
  );
}

function Bar({ name, peak }: { name: string; peak: number | undefined }) {
  const bar = (
    <svg className={styles.bar} viewBox={`0 0 1 ${-meterFloorDb}`} preserveAspectRatio="none" aria-hidden>
      {litZones(peak ?? meterFloorDb).map(({ tone, from, to }) => (
        <rect key={tone} className={styles.zone} data-tone={tone} x="0" width="1" y={-meterFloorDb - to} height={to - from} />
      ))}
    </svg>
  );
  if (peak === undefined) return <div className={styles.channel}>{bar}</div>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> has one colour, and the same in every theme
    <div
      className={styles.channel}
      role="meter"
      aria-label={name}
      aria-valuemin={meterFloorDb}
      aria-valuemax={0}
      aria-valuenow={clampLevel(peak)}
      aria-valuetext={peak < meterFloorDb ? `below ${formatLevel(meterFloorDb)} dBTP` : `${formatLevel(peak)} dBTP`}
    >
      {bar}
    </div>
  );
}
