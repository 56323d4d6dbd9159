import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useStore } from '../../store/store-context.tsx';
import { SoundMeter } from './sound-meter.tsx';

/** How loud a broadcast is, as its viewers get it. */
export function StreamSoundMeter({ streamId, channels }: { streamId: string; channels: number }) {
  const audio = useLiveValue(useStore().audio(streamId));
  return <SoundMeter meter={audio.kind === 'known' ? audio.value.meter : undefined} channels={channels} />;
}
