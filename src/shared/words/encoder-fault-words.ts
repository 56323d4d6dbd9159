import { assertNever } from '../assert-never.ts';
import type { EncoderFault } from '../model/encoder.ts';
import { withUnit } from '../with-unit.ts';

/** Why an encoder doesn't work, as a sentence. */
export function describeEncoderFault(fault: EncoderFault): string {
  switch (fault.code) {
    case 'too-few-pictures':
      return `It made ${fault.made} of ${fault.asked} frames.`;
    case 'no-forced-keyframes':
      return "It doesn't place keyframes where requested.";
    case 'too-late':
      return `It made no frames within ${withUnit(fault.withinMs / 1000, 's')}.`;
    case 'not-built-in':
      return 'This ffmpeg was built without it.';
    case 'unusable':
      return "ffmpeg can't use it on this computer.";
    default:
      return assertNever(fault);
  }
}
