import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { EndedBroadcast, Meters, OneClickState } from '../../shared/model/live.ts';
import type { LogLine } from '../../shared/model/log-line.ts';
import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import type { RouteView } from '../../shared/model/region.ts';
import type { Verdict } from '../../shared/model/verdict.ts';
import type { StreamLive, StreamView } from '../../shared/model/views.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';
import { describeSeverity } from '../health/verdict.ts';
import { describeRemoteAir, judgeRemote, type RemoteFacts } from './remote-health.ts';
import type { RemoteAnswer } from './remote-progress.ts';
import type { RemoteRegion } from './remote-route.ts';
import { formatRemoteSession, formatView } from './remote-view.ts';

/** A remote stream about which its service has answered. */
export interface KnownRemote {
  serviceId: string;
  answer: RemoteAnswer;
  facts: RemoteFacts;
  /** The broadcast from here that was lost, and isn't dismissed. */
  lost: EndedBroadcast | undefined;
}

/** A remote stream with everything else that Studio shows. */
export interface ShownRemote extends KnownRemote {
  serviceName: string;
  lastChoice: OneClickChoice | undefined;
  /** The meters of what is sent from here. */
  sentMeters: Meters | undefined;
  /** The region that its broadcast from here goes to, and the one it could move to. */
  route: SentTo | undefined;
  /** The base URLs of the nearest region. */
  nearest: IngestPair | undefined;
  /** When the service last answered, epoch milliseconds. */
  heardAt: number | undefined;
  log: readonly LogLine[];
}

interface SentTo {
  region?: RemoteRegion | undefined;
  offer?: RemoteRegion | undefined;
}

/** A remote stream as the lists show it. */
export function describeRemoteStream(known: KnownRemote): StreamView {
  return describeJudged(known, () => judgeRemote(known.facts).verdict);
}

function describeJudged({ serviceId, answer, facts, lost }: KnownRemote, findVerdict: () => Verdict | undefined): StreamView {
  const air = describeRemoteAir(facts);
  return formatView(answer.stream, {
    serviceId,
    clockAheadMs: facts.clockAheadMs,
    air,
    ...(air.kind === 'on-air' && describeSeverity(findVerdict())),
    oneClick: facts.oneClick,
    isUnheard: facts.failure !== undefined && !isSentFromHere(facts.oneClick),
    ...(lost && { lost: { sessionId: lost.sessionId, endedAt: lost.endedAt } }),
  });
}

/** Everything that Studio shows of a remote stream. */
export function describeRemoteLive(known: ShownRemote): StreamLive {
  const { answer, facts, lost, route, nearest } = known;
  const { now, oneClick, elsewhere, clockAheadMs } = facts;
  const { stages, verdict } = judgeRemote(facts);
  // Nobody here knows the session in a region that the service doesn't speak for.
  const session = isThere(elsewhere) ? undefined : answer.session;
  return {
    now,
    stream: describeJudged(known, () => verdict),
    oneClick,
    lastChoice: known.lastChoice,
    refusals: [],
    lost,
    // Another program's broadcast isn't measured here.
    meters: facts.isForeign ? undefined : known.sentMeters,
    stages,
    verdict,
    renditions: [],
    region: describeRegion(facts, route),
    log: [...known.log],
    session: session && formatRemoteSession(session, clockAheadMs),
    service: {
      name: known.serviceName,
      pair: findPairInUse(oneClick, route) ?? nearest,
      failure: facts.failure,
      clockAheadMs,
      heardAt: known.heardAt,
    },
  };
}

/** Only while another region is offered, or while the broadcast is on air in a region that the service doesn't speak for. */
function describeRegion({ oneClick, elsewhere }: RemoteFacts, { region, offer }: SentTo = {}): RouteView | undefined {
  if (region === undefined || !isSentFromHere(oneClick)) return undefined;
  if (offer === undefined && !isThere(elsewhere)) return undefined;
  const { code, ingest, playback } = region;
  return { code, isOwn: false, ingest, playback, ...(offer && { offer: offer.code }) };
}

/** Whether viewers have a broadcast in a region that the service doesn't speak for, or had it and wait. */
function isThere(elsewhere: RemoteFacts['elsewhere']): boolean {
  return elsewhere?.air.kind === 'on-air' || elsewhere?.air.kind === 'reconnecting';
}

function findPairInUse(oneClick: OneClickState, { region }: SentTo = {}): IngestPair | undefined {
  return region && isSentFromHere(oneClick) ? { ingest: region.ingest, playback: region.playback } : undefined;
}
