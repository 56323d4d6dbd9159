import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useStore } from '../../store/store-context.tsx';
import { SoundMeter } from './sound-meter.tsx';

/** How loud a broadcast is, as its viewers get it. */
export function StreamSoundMeter({ streamId, channels }: { streamId: string; channels: number }) {
  const watched = useStore().audio(streamId);
  const audio = useLiveValue(watched);
  const isLost = useIsContactLost(watched);
  return <SoundMeter meter={audio.kind === 'known' && !isLost ? audio.value.meter : undefined} channels={channels} />;
}
