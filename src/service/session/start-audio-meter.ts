import { BroadcastMeter, type RunningAudioMeter } from '../audio-meter/broadcast-meter.ts';
import type { Clock } from '../ports.ts';
import type { EncoderChooser } from '../transcode/encoder-choice.ts';

/** Starts a meter with what this computer can decode. It measures nothing before that is known. */
export function startAudioMeter({
  encoders,
  ...options
}: {
  encoders: Pick<EncoderChooser, 'picked' | 'pickSoon'>;
  clock: Pick<Clock, 'monotonicMs'>;
  onMeasured: () => void;
}): RunningAudioMeter {
  const { picked } = encoders;
  return new BroadcastMeter({ ...options, tools: picked ? Promise.resolve(picked) : encoders.pickSoon() });
}
