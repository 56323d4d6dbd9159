import type { AirState, OneClickKind } from '../../../shared/model/live.ts';
import { isOwnEncoder } from '../../../shared/sent-from-here.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { mediaIsBack, suspendedStream, usualCodecs } from '../../../shared/words/advice-words.ts';
import { isEnding, isOurs } from '../../status/air-status.ts';
import type { HoldReason } from './recovery.ts';

/** The text over the last picture: what is wrong, and what happens next. */
export interface HoldWords {
  title: string;
  sentence: string;
}

/** The text and icon shown in place of the picture when nothing plays. */
export interface IdleWords extends HoldWords {
  sign: 'busy' | 'pause' | 'off';
}

/** Other facts that the text depends on. */
export interface HoldFacts {
  air: AirState;
  oneClick: OneClickKind;
  /** Another computer packages the picture. */
  isElsewhere: boolean;
  /** This page can't hear the service. */
  isLost: boolean;
  /** The service can't tell the stream's state: `air` is from before. */
  isUnheard: boolean;
  /** The text is shown over many pictures, some of which may have stayed black. */
  isWall: boolean;
}

/**
 * Tells the streamer why the picture is frozen. `heldSeconds` is how long it has been.
 *
 * If the status bar already counts the seconds, the text says what viewers see instead: two counters never agree.
 */
export function describeHold(
  reason: HoldReason,
  heldSeconds: number,
  { air, oneClick, isElsewhere, isLost, isUnheard, isWall }: HoldFacts,
): HoldWords {
  const isFromBefore = isLost || isUnheard;
  if (isFromBefore && (reason === 'no-segment' || reason === 'unreachable')) {
    return { title: isWall ? 'No contact' : 'The last picture', sentence: isLost ? lostSentence : unheardSentence };
  }
  const why = isFromBefore ? undefined : describeAbsence(air, oneClick, isElsewhere);
  if (why !== undefined) return { title: isWall ? 'Viewers see the last picture' : 'Viewers see this picture', sentence: why };
  switch (reason) {
    case 'no-segment':
      return {
        title: `Nothing new for ${withUnit(Math.max(1, Math.floor(heldSeconds)), 's')}`,
        sentence: 'The stream is on air, but no new picture arrives. The monitor keeps trying.',
      };
    case 'unreachable':
      return { title: "The playback URL isn't responding", sentence: 'The monitor keeps trying.' };
    case 'undecodable':
      return {
        title: "This stream can't be decoded",
        sentence: `The monitor restarts its player. If this continues, ${isOwnEncoder(oneClick) || oneClick === 'stopping' ? 'reload this page' : usualCodecs}.`,
      };
    case 'stuck':
      return {
        title: 'The picture has stopped',
        sentence: "Media arrives but doesn't play. The monitor jumps to live.",
      };
  }
}

/** The text for a rendition whose codecs this browser lacks. */
export const cannotDecode = "This browser can't decode it";

/** Why one tile of the wall has stopped while others play. */
export function describeTileHold(reason: HoldReason): string {
  switch (reason) {
    case 'no-segment':
    case 'unreachable':
      return 'Nothing new arrives here';
    case 'undecodable':
      return cannotDecode;
    case 'stuck':
      return 'The picture has stopped';
  }
}

/** Why nothing new arrives, if the state of the broadcast explains it. */
function describeAbsence(air: AirState, oneClick: OneClickKind, isElsewhere: boolean): string | undefined {
  if (air.kind === 'on-air') {
    if (air.silentSince === undefined) return undefined;
    if (isElsewhere) return 'Nothing new arrives from the service that plays it.';
    return air.unplayable === undefined ? sendsNothing : nothingPlays;
  }
  if (air.kind !== 'reconnecting') return undefined;
  if (isEnding(air, oneClick)) return 'The broadcast is ending.';
  if (air.back === undefined) {
    return `They'll see nothing new until ${isOurs(oneClick) ? 'the ingest takes your media again' : 'the encoder is back'}.`;
  }
  if (air.unplayable !== undefined) return nothingPlays;
  if (air.back === 'connected') return sendsNothing;
  return `${isOwnEncoder(oneClick) ? mediaIsBack.ours : mediaIsBack.theirs}. The picture follows in a moment.`;
}

const lostSentence = 'Nothing new is arriving: Tallylight was closed or the network is down. The monitor keeps trying.';

const unheardSentence =
  "Nothing new is arriving, and the service doesn't say whether the stream is on air. The monitor keeps trying.";

const nothingPlays = "The encoder is sending, but its media can't be played.";

const sendsNothing = "The encoder is connected but isn't sending.";

/**
 * The text to show while nothing plays. `isRetrying`: one click can't reach the ingest and is trying again. `isLost`: this page has lost
 * the service.
 */
export function describeIdle({
  air,
  isSuspended,
  isRetrying,
  isLost,
}: {
  air: AirState;
  isSuspended: boolean;
  isRetrying: boolean;
  isLost: boolean;
}): IdleWords {
  if (isLost) return { title: 'No contact', sentence: "This page can't tell whether the stream is on air.", sign: 'off' };
  if (air.kind === 'connecting') {
    if (air.awaiting === 'playlist') {
      return {
        title: 'No picture from that region',
        sentence: "The region takes your media, but its playlist can't be read from here. Tallylight keeps trying.",
        sign: 'busy',
      };
    }
    return air.awaiting === 'keyframe'
      ? {
          title: 'Waiting for a keyframe',
          sentence: 'The encoder is sending. The picture starts with its next keyframe.',
          sign: 'busy',
        }
      : { title: 'Connecting', sentence: 'The picture appears in a few seconds.', sign: 'busy' };
  }
  // Only a broadcast whose playback URL isn't known yet.
  if (air.kind !== 'off-air') {
    return {
      title: 'No playback URL yet',
      sentence: "The service hasn't said which region is nearest. Tallylight keeps asking.",
      sign: 'busy',
    };
  }
  if (isRetrying) return { title: 'Not on air yet', sentence: 'Viewers see nothing until the ingest responds.', sign: 'busy' };
  if (isSuspended) {
    return { title: 'Suspended', sentence: suspendedStream, sign: 'pause' };
  }
  return { title: 'Off air', sentence: "You'll see what viewers see here once you go live.", sign: 'off' };
}
