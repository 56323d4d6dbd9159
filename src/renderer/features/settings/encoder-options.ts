import type { EncoderChoice, EncoderName } from '../../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';

const encoderNames: Readonly<Record<EncoderName, { label: string; note: string }>> = {
  libx264: { label: 'x264', note: 'The processor' },
  h264_nvenc: { label: 'NVENC', note: 'NVIDIA graphics' },
  h264_qsv: { label: 'Quick Sync', note: 'Intel graphics' },
  h264_vaapi: { label: 'VA-API', note: 'Intel or AMD graphics, on Linux' },
  h264_amf: { label: 'AMF', note: 'AMD graphics' },
  h264_videotoolbox: { label: 'VideoToolbox', note: 'Apple’s media engine' },
};

interface EncoderOption {
  value: EncoderChoice;
  label: string;
  note: string;
}

/** An encoder that did not work, and why. */
export interface FailedEncoder {
  name: string;
  sentence: string;
  stderr: readonly string[];
}

/** The name of an encoder as people know it. */
export function nameEncoder(encoder: EncoderName): string {
  return encoderNames[encoder].label;
}

/** What can be chosen: automatic, what worked, and what is chosen now even where it did not. */
export function listEncoderOptions(encoders: ServiceInfo['encoders'], chosen: EncoderChoice): EncoderOption[] {
  const working = (encoders?.trials ?? []).filter(({ works }) => works).map(({ encoder }) => encoder);
  const used = encoders?.used === undefined ? 'The first that works' : `The first that works: ${nameEncoder(encoders.used)}`;
  const isLost = chosen !== 'automatic' && !working.includes(chosen);
  return [
    { value: 'automatic', label: 'Automatic', note: chosen === 'automatic' ? used : 'The first that works' },
    ...working.map((encoder) => ({ value: encoder, ...encoderNames[encoder] })),
    ...(isLost
      ? [
          {
            value: chosen,
            label: encoderNames[chosen].label,
            note: encoders === undefined ? encoderNames[chosen].note : 'Does not work now',
          },
        ]
      : []),
  ];
}

/** The encoders that were tried in vain, in the order they were tried. */
export function listFailedEncoders(encoders: ServiceInfo['encoders']): FailedEncoder[] {
  return (encoders?.trials ?? []).flatMap((trial) =>
    trial.works ? [] : [{ name: nameEncoder(trial.encoder), sentence: trial.sentence, stderr: trial.stderr }],
  );
}
