import { type AudioMeterOptions, type MeterStarter, PublisherMeter } from '../audio-meter/publisher-meter.ts';
import type { EncoderChooser } from '../transcode/encoder-choice.ts';

/**
 * Creates the starter of audio meters, which need to know what this computer can decode: until then they measure nothing. A meter
 * that can't measure its audio tries again whenever encoders and decoders have been tried.
 */
export function createAudioMeters({
  encoders,
  ...options
}: Pick<AudioMeterOptions, 'clock' | 'loudnessTargetLufs'> & {
  encoders: Pick<EncoderChooser, 'picked' | 'pickSoon' | 'onFound'>;
}): MeterStarter {
  return (onMeasured) => {
    const { picked } = encoders;
    return new PublisherMeter({
      ...options,
      onMeasured,
      tools: picked ? Promise.resolve(picked) : encoders.pickSoon({ decodes: true }),
      onTools: (listener) =>
        encoders.onFound(() => {
          if (encoders.picked) listener(encoders.picked);
        }),
    });
  };
}
