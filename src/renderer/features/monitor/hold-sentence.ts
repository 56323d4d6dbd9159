import type { AirState } from '../../../shared/model/live.ts';
import type { HoldReason } from './recovery.ts';

/** What stands over the last picture, and what follows by itself. */
export interface HoldWords {
  title: string;
  sentence: string;
}

/** What stands in the picture's place where nothing plays, and its sign. */
export interface IdleWords extends HoldWords {
  sign: 'busy' | 'pause' | 'off';
}

/**
 * Why the picture stands still, said to the streamer; `heldSeconds` is for how long, `isLost` whether the service is not heard.
 *
 * Of a loss that the bar counts it says what viewers see: the same seconds in two places never agree.
 */
export function describeHold(
  reason: HoldReason,
  heldSeconds: number,
  { air, isLost }: { air: AirState; isLost: boolean },
): HoldWords {
  if (isLost && (reason === 'no-segment' || reason === 'unreachable')) {
    return {
      title: 'The last picture',
      sentence: 'Nothing new is arriving: Tallylight was closed or the network is down. The monitor keeps trying.',
    };
  }
  const why = describeAbsence(air);
  if (why !== undefined) return { title: 'Viewers see this picture', sentence: why };
  switch (reason) {
    case 'no-segment':
      return {
        title: `Nothing new for ${Math.max(1, Math.floor(heldSeconds))} s`,
        sentence: 'The stream is on air, but no new picture arrives. The monitor keeps trying.',
      };
    case 'unreachable':
      return { title: "The playback URL isn't responding", sentence: 'The monitor keeps trying.' };
    case 'undecodable':
      return {
        title: "The picture can't be decoded",
        sentence:
          'The monitor restarts its player. If this continues, choose H.264 in the encoder (in OBS: Settings → Output → Video Encoder).',
      };
    case 'stuck':
      return {
        title: 'The picture has stopped',
        sentence: "Media arrives but doesn't play. The monitor jumps to live.",
      };
  }
}

/** Why nothing new comes from the encoder, as far as the large word says that. */
function describeAbsence(air: AirState): string | undefined {
  if (air.kind === 'on-air') return air.silentSince === undefined ? undefined : sendsNothing;
  if (air.kind !== 'reconnecting') return undefined;
  if (air.back === 'sending') return 'The encoder is back. The picture resumes in a moment.';
  return air.until === undefined ? sendsNothing : "They'll see nothing new until the encoder is back.";
}

const sendsNothing = "The encoder is connected but isn't sending.";

/** What is awaited where nothing plays. `isRetrying`: one click cannot reach the ingest, and tries again. */
export function describeIdle({
  air,
  isSuspended,
  isRetrying,
}: {
  air: AirState;
  isSuspended: boolean;
  isRetrying: boolean;
}): IdleWords {
  if (air.kind === 'connecting') {
    return air.awaiting === 'keyframe'
      ? {
          title: 'Waiting for a keyframe',
          sentence: 'The encoder is sending. The picture starts with its first keyframe.',
          sign: 'busy',
        }
      : { title: 'Connecting', sentence: 'The picture appears in a few seconds.', sign: 'busy' };
  }
  if (isRetrying) return { title: 'Not on air yet', sentence: 'Viewers see nothing until the ingest responds.', sign: 'busy' };
  if (isSuspended) {
    return { title: 'Suspended', sentence: 'This stream refuses every encoder until you resume it.', sign: 'pause' };
  }
  return { title: 'Off air', sentence: "You'll see what viewers see here once you go live.", sign: 'off' };
}
