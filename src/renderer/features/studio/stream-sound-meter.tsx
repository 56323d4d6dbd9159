import { useRef } from 'react';
import { useIsSeen } from '../../hooks/use-is-seen.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useStore } from '../../store/store-context.tsx';
import { SoundMeter } from './sound-meter.tsx';

/** How loud a broadcast is, as its viewers get it. Its levels come only while somebody sees it. */
export function StreamSoundMeter({ streamId, channels }: { streamId: string; channels: number }) {
  const meter = useRef<HTMLElement>(null);
  const levels = useStore().audio(streamId);
  const watched = useIsSeen(meter) ? levels : undefined;
  const audio = useLiveValue(watched);
  const isLost = useIsContactLost(watched);
  const measured = audio?.kind === 'known' && !isLost ? audio.value.meter : undefined;
  return <SoundMeter meter={measured} channels={channels} ref={meter} />;
}
