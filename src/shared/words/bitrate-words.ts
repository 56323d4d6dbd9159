import { assertNever } from '../assert-never.ts';
import { formatBitrate, formatKilobits } from '../format-count.ts';
import type { BitrateEvent } from '../model/bitrate-event.ts';
import { withUnit } from '../with-unit.ts';
import { formatFrames } from './quantities.ts';

/** What happened to the bitrate, and why. */
export function describeBitrateEvent(event: BitrateEvent): string {
  switch (event.code) {
    case 'lowered':
      return `Lowering the video bitrate from ${formatKilobits(event.fromBps)} to ${formatBitrate(event.toBps)}: ${withUnit(Math.round(event.queueMs), 'ms')} of media was waiting to be sent.`;
    case 'raised':
      return `Raising the video bitrate from ${formatKilobits(event.fromBps)} to ${formatBitrate(event.toBps)}: the connection to the ingest has room again.`;
    case 'at-floor':
      return `${withUnit(Math.round(event.queueMs), 'ms')} of media is waiting, and the video bitrate is already as low as it gets: ${formatBitrate(event.bitrateBps)}.`;
    case 'kept':
      return `The encoder's bitrate couldn't be changed. It continues at ${formatBitrate(event.bitrateBps)}.`;
    case 'frames-dropped':
      return `${formatFrames(event.frames)} dropped ${describeDrop(event)}: the connection to the ingest was too slow.`;
    default:
      return assertNever(event);
  }
}

function describeDrop({ toKeyframe, withDisposable }: Extract<BitrateEvent, { code: 'frames-dropped' }>): string {
  if (!toKeyframe) return 'that no other frame depends on';
  return withDisposable ? 'up to a keyframe' : "up to a keyframe, since this encoder's frames all depend on each other";
}
