import type { Verdict } from '../../shared/model/live.ts';
import { isFailure } from '../../shared/one-click-failure.ts';
import { describeSleep } from '../lib/sleep-watch.ts';
import {
  fpsBadRatio,
  fpsWarnRatio,
  type HealthFacts,
  isEncodingSlowly,
  keyframeWarnSeconds,
  queueBadMs,
  queueWarnMs,
  smallestQuality,
} from './health-facts.ts';
import { playVerdict } from './play-verdict.ts';
import { trackVerdict } from './track-verdict.ts';

/** The one thing to say now: the worst trouble nearest to the camera first; undefined when there is nothing to judge. */
export function drawVerdict(facts: HealthFacts): Verdict | undefined {
  const { air, oneClick } = facts;
  if (isFailure(oneClick, air))
    return { code: 'go-live-failed', severity: 'bad', title: 'Go live failed', sentence: oneClick.sentence };
  if (oneClick.kind === 'retrying') {
    return {
      code: 'ingest-retry',
      severity: 'bad',
      title: 'Reconnecting to the ingest',
      sentence: 'Tallylight keeps trying. If that does not help, stop and go live again.',
    };
  }
  if (air.kind === 'reconnecting') return air.until === undefined ? backVerdict(air.back) : lostVerdict(oneClick);
  if (air.kind !== 'on-air') return undefined;
  const troubles = findTroubles(facts);
  return troubles.find(({ severity }) => severity === 'bad') ?? troubles[0] ?? allGood;
}

/** All that is wrong on air, from the camera on; {@link drawVerdict} says the worst of it. */
export function findTroubles(facts: HealthFacts): Verdict[] {
  if (facts.air.kind !== 'on-air') return [];
  return nearestFirst.map((judge) => judge(facts)).filter((verdict) => verdict !== undefined);
}

/** From the camera on: of troubles that are equally bad, the first is said. */
const nearestFirst = [
  silenceVerdict,
  turnsVerdict,
  sleepVerdict,
  encodeVerdict,
  queueVerdict,
  trackVerdict,
  frameRateVerdict,
  ladderVerdict,
  keyframeVerdict,
  playVerdict,
] satisfies ((facts: HealthFacts) => Verdict | undefined)[];

const isMade = ({ state }: HealthFacts['renditions'][number]) => state === 'running' || state === 'waiting';

const allGood: Verdict = { code: 'good', severity: 'good', title: 'All good' };

/** What to do about it: for how long it has been gone is said by the large word, what viewers see by the monitor. */
function lostVerdict({ kind }: HealthFacts['oneClick']): Verdict {
  const todo =
    kind === 'starting' || kind === 'running' ? 'Tallylight is restarting it.' : 'Check the encoder and its network.';
  return {
    code: 'encoder-gone',
    severity: 'bad',
    title: 'The encoder is gone',
    sentence: `${todo} The broadcast continues when it is back.`,
  };
}

function backVerdict(back: 'connected' | 'sending' | undefined): Verdict {
  return back === 'sending'
    ? {
        code: 'encoder-back',
        severity: 'warn',
        title: 'The encoder is back',
        sentence: 'It is sending again. Viewers will see it in a moment.',
      }
    : {
        code: 'nothing-arrives',
        severity: 'bad',
        title: 'Nothing arrives',
        sentence: 'The encoder is connected again but sends nothing. Check the encoder and its network.',
      };
}

/** Drawn from what the large word is drawn from: what is said in one place is never denied in the other. */
function silenceVerdict({ air }: HealthFacts): Verdict | undefined {
  if (air.kind !== 'on-air' || air.silentSince === undefined) return undefined;
  return {
    code: 'nothing-arrives',
    severity: 'bad',
    title: 'Nothing arrives',
    sentence: 'The encoder is connected but sends nothing. Check the encoder and its network.',
  };
}

function turnsVerdict({ takeTurns }: HealthFacts): Verdict | undefined {
  if (!takeTurns) return undefined;
  return {
    code: 'encoders-take-turns',
    severity: 'bad',
    title: 'Two encoders take turns',
    sentence:
      'Both send with this stream key and reconnect by themselves: viewers see one, then the other. Stop one of them, or give the stream a new key.',
  };
}

function sleepVerdict({ air, slept }: HealthFacts): Verdict | undefined {
  if (slept === undefined || air.kind !== 'on-air' || air.since > slept.to) return undefined;
  return {
    code: 'slept',
    severity: 'warn',
    title: slept.kind === 'slept' ? 'The computer slept' : 'Tallylight stood still',
    sentence: `${describeSleep(slept)} Viewers had nothing new meanwhile.`,
  };
}

function encodeVerdict(facts: HealthFacts): Verdict | undefined {
  const { oneClick, renditions } = facts;
  if (oneClick.kind !== 'running' || oneClick.encodeSpeed === undefined || !isEncodingSlowly(facts)) return undefined;
  const remedies = [
    'close other programs',
    ...(oneClick.quality === smallestQuality ? [] : ['choose a smaller picture']),
    ...(renditions.some(isMade) ? ['make fewer renditions'] : []),
  ];
  return {
    code: 'encode-slow',
    severity: 'bad',
    title: 'This computer encodes too slowly',
    sentence: `It encodes at ${oneClick.encodeSpeed.toFixed(2)} × real time, so viewers stall. To fix it, ${remedies.join(', or ')}.`,
    ...(renditions.some(isMade) && { remedy: 'fewer-renditions' }),
  };
}

function queueVerdict({ oneClick }: HealthFacts): Verdict | undefined {
  if (oneClick.kind !== 'running' || oneClick.queueMs < queueWarnMs) return undefined;
  const sentence = `${Math.round(oneClick.queueMs)} ms of media wait to be sent${oneClick.droppedFrames > 0 ? `, and ${oneClick.droppedFrames} frames were dropped` : ''}. If this lasts, choose a smaller picture.`;
  return oneClick.queueMs >= queueBadMs
    ? { code: 'upload-slow', severity: 'bad', title: 'The upload is too slow', sentence }
    : { code: 'upload-tight', severity: 'warn', title: 'The upload is tight', sentence };
}

function frameRateVerdict({ meters, nominalFps, oneClick }: HealthFacts): Verdict | undefined {
  if (meters?.fps === undefined || nominalFps === undefined) return undefined;
  const ratio = meters.fps / nominalFps;
  if (ratio >= fpsWarnRatio) return undefined;
  return {
    code: 'frames-missing',
    severity: ratio < fpsBadRatio ? 'bad' : 'warn',
    title: 'Frames are missing',
    sentence: `${meters.fps.toFixed(1)} of ${Number(nominalFps.toFixed(2))} frames per second arrive: the encoder is overloaded. ${oneClick.kind === 'running' ? 'Close other programs, or choose a smaller picture.' : 'Lower its picture size or frame rate. In OBS, lower Output (Scaled) Resolution or Common FPS Values in Settings → Video.'}`,
  };
}

function ladderVerdict({ renditions }: HealthFacts): Verdict | undefined {
  const shed = renditions.filter(({ state }) => state === 'shed');
  if (shed.length > 0) {
    const names = shed.map(({ asked }) => asked.name).join(', ');
    return {
      code: 'renditions-shed',
      severity: 'warn',
      title: shed.length === 1 ? 'A rendition is left out' : `${shed.length} renditions are left out`,
      sentence: `This computer cannot keep up with ${names}. Viewers still get everything else. Close other programs: what is left out comes back by itself when there is room.`,
      ...(renditions.some(isMade) && { remedy: 'fewer-renditions' }),
    };
  }
  if (!renditions.some(({ state }) => state === 'given-up')) return undefined;
  return {
    code: 'no-renditions',
    severity: 'warn',
    title: 'There are no renditions',
    sentence: 'Viewers get only the source; “What happened” says why. To try again, stop and go live again.',
  };
}

function keyframeVerdict({ meters }: HealthFacts): Verdict | undefined {
  const seconds = meters?.keyframeIntervalSeconds;
  if (seconds === undefined || seconds <= keyframeWarnSeconds) return undefined;
  return {
    code: 'keyframes-far',
    severity: 'warn',
    title: 'Keyframes are far apart',
    sentence: `One every ${seconds.toFixed(1)} s makes viewers start late and lag. In OBS, open Settings → Output → Output mode: Advanced and set Keyframe Interval to 1 s.`,
  };
}
