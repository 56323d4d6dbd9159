import type { AirState, LatencyView } from '../../shared/model/live.ts';
import type { RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import type { ArrivalPauses } from '../health/arrival-pauses.ts';
import { type HealthFacts, isSlow } from '../health/health-facts.ts';
import type { AirPhase } from './air-machine.ts';
import { formatAirState, signalEndsInMs } from './air-state.ts';
import type { LastMeasured } from './last-measured.ts';
import type { PublisherMeasures } from './publisher-measures.ts';
import type { SegmentTrail } from './segment-trail.ts';
import type { StreamMedia } from './stream-media.ts';

/** A live stream as views and health read it, all from one moment. Times are epoch milliseconds. */
export interface LiveFacts
  extends Pick<
    HealthFacts,
    | 'air'
    | 'meters'
    | 'lastMediaAt'
    | 'nominalFps'
    | 'pace'
    | 'pauses'
    | 'driftMs'
    | 'typicalSegmentSeconds'
    | 'renditions'
    | 'sound'
  > {
  /** How the time until the running session's media can be played divides into steps. */
  latency: LatencyView | undefined;
  /** How much sound the publisher has sent, in milliseconds. */
  heardMs: number;
  /**
   * Since when this publisher's media has come without a pause that viewers see; undefined in a pause, and while it is too slow.
   */
  steadySince: number | undefined;
}

/** The facts of a stream that has not been live since the service started. */
export const offAirFacts: LiveFacts = {
  air: { kind: 'off-air' },
  meters: undefined,
  lastMediaAt: undefined,
  nominalFps: undefined,
  typicalSegmentSeconds: undefined,
  renditions: [],
  latency: undefined,
  heardMs: 0,
  steadySince: undefined,
};

/** The parts of a live stream that its facts depend on. */
export interface LiveParts {
  phase: AirPhase;
  /** Of the running session. */
  sessionId: string | undefined;
  /** Of the publisher that is connected. */
  measures: PublisherMeasures | undefined;
  measured: Pick<LastMeasured, 'read' | 'lastMediaAt'>;
  /** Of the running session. */
  pauses: Pick<ArrivalPauses, 'recent' | 'steadySince'>;
  trail: SegmentTrail;
  media: StreamMedia;
  /** Of the running session. */
  audioMeter: Pick<RunningAudioMeter, 'judge' | 'heardMs'> | undefined;
}

/** One moment by `Clock.monotonicMs`, and the conversion of such times to times of day. */
export interface Moment {
  now: number;
  timeOfDay: (atMs: number) => number;
}

/** The facts of a live stream at this moment. Reads only; called once per tick for each stream, and for each page that watches. */
export function collectFacts(parts: LiveParts, moment: Moment): LiveFacts {
  const { measures, measured, pauses, trail, media, sessionId, audioMeter } = parts;
  const { meters, latency, pace } = measured.read(measures, moment.now);
  return {
    air: collectAir(parts, moment),
    meters: meters && { ...meters, measuredAt: moment.timeOfDay(meters.measuredAt) },
    lastMediaAt: collectLastMediaAt(parts, moment),
    nominalFps: measures?.nominalFps,
    pace,
    pauses: pauses.recent(moment.now),
    driftMs: measures?.driftMs,
    typicalSegmentSeconds: trail.typicalSeconds,
    renditions: media.renditionViews(pace),
    sound: audioMeter?.judge() ?? [],
    latency: sessionId === undefined ? undefined : latency,
    heardMs: audioMeter?.heardMs ?? 0,
    steadySince: isSlow(pace) ? undefined : collectSteadySince(parts, moment),
  };
}

function collectSteadySince({ measures, pauses }: LiveParts, { now, timeOfDay }: Moment): number | undefined {
  const atMs = measures && pauses.steadySince(now);
  return atMs === undefined ? undefined : timeOfDay(atMs);
}

/** Only the air state. */
export function collectAir({ phase, measures, measured, sessionId }: LiveParts, { now, timeOfDay }: Moment): AirState {
  return formatAirState(phase, { now, lastMediaAt: measured.lastMediaAt(measures), publisher: measures, sessionId }, timeOfDay);
}

/**
 * In how many milliseconds the publisher counts as silent if no media comes; negative if it already does, undefined without a
 * publisher. On air, counted from the last media that viewers got, whichever publisher sent it.
 */
export function collectSignalEnd({ phase, measures, measured }: LiveParts, { now }: Moment): number | undefined {
  if (measures === undefined) return undefined;
  return signalEndsInMs(phase.kind === 'on-air' ? measured.lastMediaAt(measures) : measures.quietSince, now);
}

/** When media last arrived; kept after the publisher is gone. */
export function collectLastMediaAt({ measures, measured }: LiveParts, { timeOfDay }: Moment): number | undefined {
  const atMs = measured.lastMediaAt(measures);
  return atMs === undefined ? undefined : timeOfDay(atMs);
}
