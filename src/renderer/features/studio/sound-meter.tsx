import { describeUnmeasured } from '../../../shared/words/audio-words.ts';
import { formatLevel } from '../../../shared/words/quantities.ts';
import unseenStyles from '../../components/unseen.module.css';
import { unknownValue } from '../../format/quantity.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import { useStore } from '../../store/store-context.tsx';
import { nameChannel } from './meter-scale.ts';
import { PeakMeter } from './peak-meter.tsx';
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
          <div key={index} className={styles.channel}>
            <PeakMeter name={nameChannel(index, peaks.length)} unit="dBTP" peakDb={peak} isUpright />
          </div>
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
