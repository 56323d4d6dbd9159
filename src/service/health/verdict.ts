import type { EncodeQuality, Verdict } from '../../shared/model/live.ts';
import { isFailure } from '../../shared/one-click-failure.ts';
import {
  fpsBadRatio,
  fpsWarnRatio,
  type HealthFacts,
  keyframeWarnSeconds,
  lastSeenBadMs,
  queueBadMs,
  queueWarnMs,
} from './health-facts.ts';

/** The one thing to say now: the worst trouble nearest to the camera first; undefined when there is nothing to judge. */
export function drawVerdict(facts: HealthFacts): Verdict | undefined {
  const { air, oneClick } = facts;
  if (isFailure(oneClick, air)) return { severity: 'bad', title: 'Go live failed', sentence: oneClick.sentence };
  if (oneClick.kind === 'retrying') {
    return {
      severity: 'bad',
      title: 'Reconnecting to the ingest',
      sentence: `${oneClick.sentence} Attempt ${oneClick.attempt} follows by itself.`,
    };
  }
  if (air.kind === 'reconnecting') return lostVerdict(air.lostAt, air.until, facts.now);
  if (air.kind !== 'on-air') return undefined;
  return (
    silenceVerdict(facts) ??
    encodeVerdict(facts) ??
    queueVerdict(facts) ??
    awayVerdict(facts) ??
    frameRateVerdict(facts) ??
    ladderVerdict(facts) ??
    keyframeVerdict(facts) ??
    allGood
  );
}

/** What one click cannot make smaller. */
const smallestQuality: EncodeQuality = '720p30';

const allGood: Verdict = { severity: 'good', title: 'All good' };

function lostVerdict(lostAt: number, until: number, now: number): Verdict {
  const goneSeconds = Math.max(0, Math.round((now - lostAt) / 1000));
  const leftSeconds = Math.max(0, Math.round((until - now) / 1000));
  return {
    severity: 'bad',
    title: 'The encoder is gone',
    sentence: `Nothing has come from it for ${goneSeconds} s. Viewers keep the stream: the broadcast goes on if it is back within ${leftSeconds} s.`,
  };
}

function silenceVerdict({ now, lastMediaAt }: HealthFacts): Verdict | undefined {
  if (lastMediaAt === undefined || now - lastMediaAt <= lastSeenBadMs) return undefined;
  return {
    severity: 'bad',
    title: 'Nothing arrives',
    sentence: `The encoder is connected but has sent nothing for ${Math.round((now - lastMediaAt) / 1000)} s. Look at the encoder or at its network.`,
  };
}

function encodeVerdict({ oneClick, renditions }: HealthFacts): Verdict | undefined {
  if (oneClick.kind !== 'running' || oneClick.encodeSpeed === undefined || oneClick.encodeSpeed >= 0.95) return undefined;
  const remedies = [
    'close other programs',
    ...(oneClick.quality === smallestQuality ? [] : ['choose a smaller picture']),
    ...(renditions.length === 0 ? [] : ['make fewer renditions']),
  ];
  return {
    severity: 'bad',
    title: 'This computer encodes too slowly',
    sentence: `It encodes at ${oneClick.encodeSpeed.toFixed(2)} × real time, so viewers stall. To mend it, ${remedies.join(', or ')}.`,
  };
}

function queueVerdict({ oneClick }: HealthFacts): Verdict | undefined {
  if (oneClick.kind !== 'running' || oneClick.queueMs < queueWarnMs) return undefined;
  const sentence = `${Math.round(oneClick.queueMs)} ms of media wait to be sent${oneClick.droppedFrames > 0 ? `, and ${oneClick.droppedFrames} frames were dropped` : ''}. Choose a smaller picture if it lasts.`;
  return oneClick.queueMs >= queueBadMs
    ? { severity: 'bad', title: 'The upload is too slow', sentence }
    : { severity: 'warn', title: 'The upload is tight', sentence };
}

function awayVerdict({ meters }: HealthFacts): Verdict | undefined {
  if (meters?.away === 'sound') {
    return {
      severity: 'bad',
      title: 'No sound arrives',
      sentence: 'The encoder sends its picture alone, and viewers hear silence. Look at the sound in the encoder.',
    };
  }
  if (meters?.away !== 'picture') return undefined;
  return {
    severity: 'bad',
    title: 'No picture arrives',
    sentence:
      'The encoder sends its sound alone, and viewers see a picture that stands still. Look at the video in the encoder.',
  };
}

function frameRateVerdict({ meters, nominalFps }: HealthFacts): Verdict | undefined {
  if (meters?.fps === undefined || nominalFps === undefined) return undefined;
  const ratio = meters.fps / nominalFps;
  if (ratio >= fpsWarnRatio) return undefined;
  return {
    severity: ratio < fpsBadRatio ? 'bad' : 'warn',
    title: 'Frames are missing',
    sentence: `${meters.fps.toFixed(1)} of ${Number(nominalFps.toFixed(2))} frames per second arrive. The encoder is overloaded: lower its picture size or frame rate.`,
  };
}

function ladderVerdict({ renditions }: HealthFacts): Verdict | undefined {
  const shed = renditions.filter(({ state }) => state === 'shed');
  if (shed.length > 0) {
    const names = shed.map(({ asked }) => asked.name).join(', ');
    return {
      severity: 'warn',
      title: shed.length === 1 ? 'A rendition is left out' : `${shed.length} renditions are left out`,
      sentence: `This computer does not keep up with ${names}. Viewers have the source and what is left. Close other programs: what is left out comes back by itself when there is room.`,
    };
  }
  if (!renditions.some(({ state }) => state === 'given-up')) return undefined;
  return {
    severity: 'warn',
    title: 'There are no renditions',
    sentence: 'Viewers get the source alone; what happened says why. Start the broadcast anew to try again.',
  };
}

function keyframeVerdict({ meters }: HealthFacts): Verdict | undefined {
  const seconds = meters?.keyframeIntervalSeconds;
  if (seconds === undefined || seconds <= keyframeWarnSeconds) return undefined;
  return {
    severity: 'warn',
    title: 'Keyframes are far apart',
    sentence: `One every ${seconds.toFixed(1)} s makes viewers start late and lag. Set the encoder's keyframe interval to 2 s.`,
  };
}
