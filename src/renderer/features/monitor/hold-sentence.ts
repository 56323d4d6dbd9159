import type { AirState } from '../../../shared/model/live.ts';
import type { HoldReason } from './recovery.ts';

/** What stands over the last picture, and what follows by itself. */
export interface HoldWords {
  title: string;
  sentence: string;
}

/** Why the picture stands still, said to the streamer; `heldSeconds` is for how long, `isLost` whether the service is not heard. */
export function describeHold(
  reason: HoldReason,
  heldSeconds: number,
  { air, isLost, nowMs }: { air: AirState; isLost: boolean; nowMs: number },
): HoldWords {
  const seconds = Math.max(1, Math.floor(heldSeconds));
  if (isLost && (reason === 'no-segment' || reason === 'unreachable')) {
    return {
      title: `No segment for ${seconds} s: the service does not answer`,
      sentence: 'It was closed, or the way to it is cut. The monitor tries again by itself.',
    };
  }
  if (air.kind === 'reconnecting') {
    const leftSeconds = Math.max(0, Math.ceil((air.until - nowMs) / 1000));
    return {
      title: `No segment for ${seconds} s: the encoder has stopped`,
      sentence: `Viewers keep this picture. The broadcast goes on when the encoder is back, and ends in ${leftSeconds} s if it is not.`,
    };
  }
  switch (reason) {
    case 'no-segment':
      return {
        title: `No segment for ${seconds} s`,
        sentence: 'The service is on air but nothing new arrives to play. Still listening.',
      };
    case 'unreachable':
      return { title: 'The playback URL does not answer', sentence: 'The monitor tries again by itself.' };
    case 'undecodable':
      return {
        title: 'The picture cannot be decoded',
        sentence: 'The monitor starts its player afresh. If it stays so, choose H.264 in the encoder.',
      };
    case 'stuck':
      return {
        title: 'The picture stands still',
        sentence: 'Segments arrive but do not play; the monitor goes to the live edge.',
      };
  }
}
