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
      title: `Nothing new for ${seconds} s: the service does not answer`,
      sentence: 'It was closed, or the network is down. The monitor tries again by itself.',
    };
  }
  if (air.kind === 'reconnecting') {
    if (air.back === 'sending') {
      return { title: 'The encoder is back', sentence: 'Its first picture comes in a moment. Viewers keep this one.' };
    }
    if (air.until === undefined) {
      return {
        title: `Nothing new for ${seconds} s: the encoder sends nothing`,
        sentence: 'It is connected again, and its picture is awaited. Viewers keep this one.',
      };
    }
    const leftSeconds = Math.max(0, Math.ceil((air.until - nowMs) / 1000));
    return {
      title: `Nothing new for ${seconds} s: the encoder is gone`,
      sentence: `Viewers keep this picture. The broadcast continues when the encoder is back. It ends in ${leftSeconds} s if it is not.`,
    };
  }
  switch (reason) {
    case 'no-segment':
      return {
        title: `Nothing new for ${seconds} s`,
        sentence: 'The stream is on air, but no new picture arrives. The monitor keeps looking.',
      };
    case 'unreachable':
      return { title: 'The playback URL does not answer', sentence: 'The monitor tries again by itself.' };
    case 'undecodable':
      return {
        title: 'The picture cannot be decoded',
        sentence: 'The monitor restarts its player. If this stays, choose H.264 in the encoder.',
      };
    case 'stuck':
      return {
        title: 'The picture has stopped',
        sentence: 'Media arrives but does not play. The monitor jumps to live.',
      };
  }
}
