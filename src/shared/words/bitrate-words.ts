import { assertNever } from '../assert-never.ts';
import { formatKilobits } from '../format-count.ts';
import type { BitrateEvent } from '../model/bitrate-event.ts';
import { formatFrames } from './quantities.ts';

/** What happened to the bitrate, and why. */
export function describeBitrateEvent(event: BitrateEvent): string {
  switch (event.code) {
    case 'lowered':
      return `Lowering the video bitrate from ${formatKilobits(event.fromBps)} to ${formatKilobits(event.toBps)} kbit/s: ${Math.round(event.queueMs)} ms of media was waiting to be sent.`;
    case 'raised':
      return `Raising the video bitrate from ${formatKilobits(event.fromBps)} to ${formatKilobits(event.toBps)} kbit/s: the connection to the ingest has room again.`;
    case 'at-floor':
      return `${Math.round(event.queueMs)} ms of media is waiting, and the video bitrate is already as low as it gets: ${formatKilobits(event.bitrateBps)} kbit/s.`;
    case 'kept':
      return `The encoder's bitrate couldn't be changed. It continues at ${formatKilobits(event.bitrateBps)} kbit/s.`;
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
