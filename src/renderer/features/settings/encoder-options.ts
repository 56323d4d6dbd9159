import type { EncoderChoice } from '../../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { describeEncoderFault } from '../../../shared/words/encoder-fault-words.ts';
import { encoderNames, nameEncoder } from '../../status/encoder-name.ts';

interface EncoderOption {
  value: EncoderChoice;
  label: string;
  note: string;
}

/** An encoder that didn't work, and why. */
export interface FailedEncoder {
  name: string;
  sentence: string;
  stderr: readonly string[];
}

/** The choices: automatic, every encoder that worked, and the current choice even if it didn't. */
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
            note: encoders === undefined ? encoderNames[chosen].note : "Doesn't work right now",
          },
        ]
      : []),
  ];
}

/** The encoders that failed, in the order they were tried. */
export function listFailedEncoders(encoders: ServiceInfo['encoders']): FailedEncoder[] {
  return (encoders?.trials ?? []).flatMap((trial) =>
    trial.works
      ? []
      : [{ name: nameEncoder(trial.encoder), sentence: describeEncoderFault(trial.fault), stderr: trial.stderr }],
  );
}
