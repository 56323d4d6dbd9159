import { assertNever } from '../assert-never.ts';
import type { EncoderFault } from '../model/encoder.ts';

/** Why an encoder does not work, in a sentence. */
export function describeEncoderFault(fault: EncoderFault): string {
  switch (fault.code) {
    case 'too-few-pictures':
      return `It made ${fault.made} of ${fault.asked} pictures.`;
    case 'no-forced-keyframes':
      return 'It does not make keyframes where they are asked for.';
    case 'too-late':
      return `It made no pictures within ${fault.withinMs / 1000} s.`;
    case 'not-built-in':
      return 'This ffmpeg was built without it.';
    case 'unusable':
      return 'ffmpeg could not use it on this computer.';
    default:
      return assertNever(fault);
  }
}
