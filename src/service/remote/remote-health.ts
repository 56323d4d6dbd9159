import { isSilence } from '../../shared/is-silence.ts';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import type { StageReport, Verdict } from '../../shared/model/verdict.ts';
import type { HealthFacts } from '../health/health-facts.ts';
import { reportStages } from '../health/stages.ts';
import { drawVerdict, findTroubles } from '../health/verdict.ts';
import { lastedMs } from '../health/verdict-lasted.ts';
import type { SeenElsewhere } from './remote-broadcast.ts';
import type { RemoteAnswer, RemoteProgress } from './remote-progress.ts';
import { toOurTime } from './remote-view.ts';

/** A service may take this long from our first media until it calls the stream active. */
const activeWithinMs = 15_000;
/** A service may take this long to count our media after a reconnect. */
export const countedWithinMs = 10_000;
/**
 * Renditions are made a few segments after their source. Once the first segments are no longer recent, after two minutes with
 * segments of 10 s, they stay about as far behind.
 */
const startLag = 5;
const lagChange = 3;
const startedAfterMs = 170_000;

/** The known facts about a remote stream. Times are epoch milliseconds; `toTimeOfDay` converts from `Clock.monotonicMs`. */
export interface RemoteFacts {
  now: number;
  nowMs: number;
  toTimeOfDay: (atMs: number) => number;
  /** How far the service's clock is ahead of ours, in milliseconds. */
  clockAheadMs: number;
  answer: RemoteAnswer | undefined;
  progress: Pick<RemoteProgress, 'activeSinceMs' | 'silentSinceMs' | 'movedAtMs' | 'gained'>;
  /** Why its last poll failed. */
  failure: RemoteFailure | undefined;
  /** When the first of the failed polls was sent. */
  failingSinceMs: number | undefined;
  oneClick: OneClickState;
  /** One click's broadcast as seen in a region that the service doesn't speak for, while the service calls the stream inactive. */
  elsewhere: SeenElsewhere | undefined;
  /** Unless one click starts or sends, the broadcast on air is another program's. */
  isForeign: boolean;
  /** The faults of the sound that one click sends. */
  sound: HealthFacts['sound'];
  /** The owner has confirmed that the silence is intended. */
  isSilenceMeant: boolean;
  /** Since when one click sends; undefined while it doesn't. */
  sendingSinceMs: number | undefined;
  /** Since when the service gets nothing of our broadcast: one click has lost its ingest, failed or was stopped; undefined before that. */
  lostAtMs: number | undefined;
  /** The computer has slept and just woken up, while one click sends. */
  slept: HealthFacts['slept'];
  playback: HealthFacts['playback'];
  pageId: string | undefined;
}

/** The facts that decide its air state. */
export type RemoteAirFacts = Omit<RemoteFacts, 'isSilenceMeant' | 'playback'>;

/** The air state of a remote stream, from its service's last answer, one click's state, and the playlists watched elsewhere. */
export function describeRemoteAir(facts: RemoteAirFacts): AirState {
  const { answer, progress, oneClick, lostAtMs, toTimeOfDay } = facts;
  if (answer?.stream.isActive !== true || progress.activeSinceMs === undefined) {
    return facts.elsewhere?.air ?? describeInactive(oneClick);
  }
  const session = answer.session?.isActive === true ? answer.session : undefined;
  const since = session ? toOurTime(session.createdAt, facts.clockAheadMs) : toTimeOfDay(progress.activeSinceMs);
  const running = { since, sessionId: session?.id ?? answer.stream.id };
  if (lostAtMs !== undefined && !facts.isForeign) {
    const lost = { kind: 'reconnecting', ...running, lostAt: toTimeOfDay(lostAtMs) } as const;
    return oneClick.kind === 'idle' ? { ...lost, isEndedHere: true } : lost;
  }
  const silentSinceMs = findSilence(facts);
  return { kind: 'on-air', ...running, ...(silentSinceMs !== undefined && { silentSince: toTimeOfDay(silentSinceMs) }) };
}

/** Since when nothing arrives there; undefined if that can't be said. */
function findSilence({ failure, progress: { silentSinceMs }, sendingSinceMs, nowMs }: RemoteAirFacts): number | undefined {
  // Without answers, no progress could be seen.
  if (failure !== undefined || silentSinceMs === undefined) return undefined;
  if (sendingSinceMs === undefined) return silentSinceMs;
  // While we weren't connected, there was nothing to count.
  return nowMs - sendingSinceMs < countedWithinMs ? undefined : Math.max(silentSinceMs, sendingSinceMs);
}

/** The air state of a stream that its service doesn't call active. */
export function describeInactive(oneClick: OneClickState): AirState {
  const isStarting = oneClick.kind === 'starting' || oneClick.kind === 'running';
  return isStarting ? { kind: 'connecting', since: oneClick.since } : { kind: 'off-air' };
}

/** The judgement on a remote stream. */
export interface RemoteJudgement {
  stages: StageReport[];
  verdict: Verdict | undefined;
  /** Everything that is wrong, the verdict too. */
  troubles: Verdict[];
  /** How long the verdict has been true, in milliseconds, if it took time to notice. */
  lastedMs: number;
}

/**
 * The stages and the verdict on a remote stream, from our encoder to the service's ingest, the service's own answers, and the monitor. The
 * inside of the service isn't visible from here, so it has no stage.
 */
export function judgeRemote(facts: RemoteFacts): RemoteJudgement {
  const air = describeRemoteAir(facts);
  const { elsewhere } = facts;
  const known: HealthFacts = {
    now: facts.now,
    air,
    oneClick: facts.oneClick,
    meters: undefined,
    lastMediaAt: undefined,
    nominalFps: undefined,
    typicalSegmentSeconds: undefined,
    renditions: [],
    ...(elsewhere && { region: elsewhere.region, ofService: true }),
    slept: facts.slept,
    playback: facts.playback,
    sound: facts.sound,
    isSilenceMeant: facts.isSilenceMeant,
    pageId: facts.pageId,
  };
  // Before it is on air, while the service doesn't answer, and in regions that it doesn't speak for, it is unknown whether the ingest
  // gets our media.
  const isCounted = air.kind === 'on-air' && elsewhere === undefined;
  const isStill = isCounted && air.silentSince !== undefined && facts.oneClick.kind === 'running';
  const isIngestKnown = isCounted && facts.failure === undefined && !isStill;
  const stages = reportStages(known).filter(({ stage }) => stage !== 'ingest' || isIngestKnown);
  const drawn = drawVerdict(known);
  // If our side has no trouble, the ingest has our media, whatever the service counts.
  const found = findTroubles(known);
  const ours = found.find(({ code, severity }) => severity === 'bad' && code !== 'nothing-arrives');
  const own: Verdict | undefined = isStill
    ? (ours ?? { code: 'service-stalled', severity: 'bad' })
    : air.kind === 'reconnecting' && air.isEndedHere
      ? { code: 'service-holds', severity: 'warn' }
      : drawn;
  const fromService = judgeService(facts, air);
  // A monitor of a service that doesn't answer gets nothing either.
  const isOfService = facts.failure !== undefined && own?.code.startsWith('play-') === true;
  // Silence is certain, whatever the service says.
  const isOwnWorse = isSilence(own) || (own?.severity === 'bad' && !isOfService);
  const verdict = isOwnWorse ? own : (fromService ?? own);
  const troubles = [verdict, ...found.filter(({ code }) => !isStill || code !== 'nothing-arrives'), fromService];
  return {
    stages,
    verdict,
    troubles: troubles.filter((trouble) => trouble !== undefined),
    lastedMs: verdict === undefined ? 0 : findLasted(verdict, known, facts),
  };
}

function findLasted(verdict: Verdict, known: HealthFacts, { nowMs, failingSinceMs = nowMs }: RemoteFacts): number {
  return verdict.code === 'service-silent' ? nowMs - failingSinceMs : lastedMs(verdict, known);
}

/** The trouble according to the service, or with its answers. */
function judgeService(facts: RemoteFacts, air: AirState): Verdict | undefined {
  const { failure, oneClick, sendingSinceMs, answer, nowMs } = facts;
  const isSending = oneClick.kind === 'running';
  if (failure !== undefined) return { code: 'service-silent', severity: 'warn', failure, isSending };
  if (facts.elsewhere !== undefined) return undefined;
  if (air.kind === 'connecting' && sendingSinceMs !== undefined && nowMs - sendingSinceMs >= activeWithinMs) {
    return { code: 'service-inactive', severity: 'warn', forMs: nowMs - sendingSinceMs };
  }
  return air.kind === 'on-air' && answer ? judgeRenditions(answer, facts.progress.gained) : undefined;
}

/** Judged by the growth of a session's counters: each source segment should have one segment per profile ("Stream object"). */
function judgeRenditions({ stream }: RemoteAnswer, gained: RemoteProgress['gained']): Verdict | undefined {
  const profiles = stream.profiles?.length ?? 0;
  const expected = gained.source * profiles;
  const made = gained.transcoded;
  // After the start, a single stopped rendition is enough.
  const lag = gained.sinceFirstMs < startedAfterMs ? startLag * profiles : Math.min(lagChange * profiles, gained.source - 1);
  if (expected - made <= Math.max(lag, expected * 0.1)) return undefined;
  return { code: 'renditions-behind', severity: 'warn', made, expected };
}
