import type { AirState, EndedBroadcast, OneClickState } from '../../shared/model/live.ts';
import type { Verdict } from '../../shared/model/verdict.ts';
import type { SessionView, StreamLive, StreamView } from '../../shared/model/views.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';
import type { RunningAudioMeter } from '../audio-meter/publisher-meter.ts';
import { type HealthFacts, isSeenArriving, isSteadyElsewhere } from '../health/health-facts.ts';
import { heardSession, type MeantSilences } from '../health/meant-silences.ts';
import type { PlayReports } from '../health/play-reports.ts';
import { reportStages } from '../health/stages.ts';
import { describeSeverity, drawVerdict } from '../health/verdict.ts';
import type { SleepWatch } from '../lib/sleep-watch.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import type { Clock } from '../ports.ts';
import type { RegionRoutes } from '../regions/region-routes.ts';
import { endedBroadcast } from '../session/ended-broadcast.ts';
import { type LiveFacts, offAirFacts } from '../session/live-facts.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { ChoiceLedger } from '../streams/choice-ledger.ts';
import type { KeylessStream } from '../streams/stream-object.ts';
import type { Streams } from '../streams/streams.ts';

/** How long players may take to continue once media arrives again. */
const recoveryMs = 2_500;

export interface ViewSources {
  streams: Streams;
  registry: SessionRegistry;
  oneClicks: OneClicks;
  choices: ChoiceLedger;
  playReports: PlayReports;
  routes: Pick<RegionRoutes, 'view' | 'air' | 'moving' | 'lost'>;
  silences: Pick<MeantSilences, 'holds'>;
  sleepWatch: SleepWatch;
  clock: Clock;
}

/** The streams as the app's screens see them, combined from the store, the live state and one click. */
export class StreamViews {
  readonly #sources: ViewSources;

  constructor(sources: ViewSources) {
    this.#sources = sources;
  }

  /** Every stream, newest first. */
  all(): StreamView[] {
    return this.#sources.streams.listKeyless().map((stream) => this.#view(stream));
  }

  /** Undefined if the stream is unknown or deleted. */
  find(streamId: string): StreamView | undefined {
    const stream = this.#sources.streams.findKeyless(streamId);
    return stream && this.#view(stream);
  }

  /** @throws {ServiceError} NOT_FOUND */
  one(streamId: string): StreamView {
    return this.#view(this.#sources.streams.getKeyless(streamId));
  }

  /** Everything that Studio shows of one stream, for the page that asks. @throws {ServiceError} NOT_FOUND */
  live(streamId: string, pageId?: string): StreamLive {
    const { registry, oneClicks, choices, routes } = this.#sources;
    const live = registry.findLive(streamId);
    const facts = this.facts(streamId, pageId);
    const verdict = drawVerdict(facts);
    // Use the air state that the verdict and stages below are drawn from.
    const stream = this.#view(this.#sources.streams.getKeyless(streamId), { air: facts.air, verdict });
    const sessions = this.sessions(streamId, 2);
    // Only the other computer knows the session of a broadcast in its region.
    const isElsewhere = this.isElsewhere(streamId);
    const session = isElsewhere ? undefined : sessions[0];
    return {
      now: facts.now,
      stream,
      oneClick: facts.oneClick,
      lastChoice: choices.find(streamId),
      region: isSentFromHere(facts.oneClick) ? routes.view(streamId) : undefined,
      hold: live?.hold,
      refusals: registry.listRefusals(stream),
      lost: this.#lost(streamId),
      lastBroadcast: this.#lastBroadcast(sessions),
      meters: isElsewhere ? oneClicks.sentMeters(streamId) : facts.meters,
      verdict,
      // The ingest of that computer can't be measured from here.
      stages: reportStages(facts).filter(({ stage }) => stage !== 'ingest' || !isElsewhere),
      renditions: [...facts.renditions],
      latency: facts.latency,
      log: [...(live?.log.lines ?? [])],
      session,
    };
  }

  #air(streamId: string, oneClick: OneClickState): AirState {
    const { registry, routes } = this.#sources;
    const here = registry.findLive(streamId)?.air ?? { kind: 'off-air' };
    return routes.air(streamId, oneClick) ?? this.#airHere(streamId, here, oneClick);
  }

  /** Whether its broadcast from here goes to another region. Does not read the store. */
  isElsewhere(streamId: string): boolean {
    const { routes, oneClicks } = this.#sources;
    return routes.air(streamId, oneClicks.state(streamId)) !== undefined;
  }

  /** The facts behind a stream's stages and verdict, all from one moment. Does not read the store, which may be unavailable. */
  facts(streamId: string, pageId?: string): HealthFacts & LiveFacts {
    const { registry, oneClicks, playReports, routes, silences, sleepWatch, clock } = this.#sources;
    const oneClick = oneClicks.state(streamId);
    const elsewhere = routes.air(streamId, oneClick);
    const live = elsewhere
      ? // Of a broadcast to another region, only the media that we send is known here.
        { ...offAirFacts, ...collectSent(oneClicks.soundMeter(streamId)) }
      : (registry.findLive(streamId)?.facts() ?? offAirFacts);
    const air = elsewhere ?? this.#airHere(streamId, live.air, oneClick);
    const now = clock.now();
    const isSteady = elsewhere ? isSteadyElsewhere({ air, oneClick, now }) : now - (live.steadySince ?? now) >= recoveryMs;
    if (!isSeenArriving(air)) playReports.rest(streamId);
    else if (!isSteady) playReports.ignoreStalls(streamId);
    return {
      ...live,
      now,
      air,
      region: elsewhere && routes.view(streamId)?.code,
      oneClick,
      pageId,
      playback: playReports.of(streamId),
      slept: sleepWatch.findRecent(),
      takeTurns: registry.areTakingTurns(streamId),
      isSilenceMeant: silences.holds(streamId, heardSession(air, live.heardMs)),
    };
  }

  /** The sessions of a stream, newest first. @throws {ServiceError} NOT_FOUND */
  sessions(streamId: string, limit: number): SessionView[] {
    const { streams } = this.#sources;
    const findEnd = (sessionId: string): Pick<SessionView, 'endReason' | 'endedBy' | 'onAirMs'> => {
      const end = streams.ends.find(sessionId);
      if (end === undefined) return {};
      const endedBy = end.reason === 'terminated' ? end.by : undefined;
      return { endReason: end.reason, onAirMs: endedBroadcast(end).onAirMs, ...(endedBy !== undefined && { endedBy }) };
    };
    return streams.listSessions(streamId, { limit }).items.map((session) => ({
      ...findEnd(session.id),
      id: session.id,
      createdAt: session.createdAt,
      lastSeen: session.lastSeen,
      isActive: session.isActive,
      sourceSegments: session.sourceSegments,
      sourceSegmentsDuration: session.sourceSegmentsDuration,
      transcodedSegments: session.transcodedSegments,
      transcodedSegmentsDuration: session.transcodedSegmentsDuration,
    }));
  }

  /** The newest of these sessions that has ended, if the store knows how. */
  #lastBroadcast(sessions: readonly SessionView[]): EndedBroadcast | undefined {
    const last = sessions.find(({ isActive }) => !isActive);
    const end = last && this.#sources.streams.ends.find(last.id);
    if (last === undefined || end === undefined) return undefined;
    return endedBroadcast(end);
  }

  /**
   * The air state here. A one-click broadcast counts as connecting before its publisher appears. A broadcast that viewers had in
   * another region counts as lost until it is on air here, or for good.
   */
  #airHere(streamId: string, air: AirState, oneClick: OneClickState): AirState {
    const { routes } = this.#sources;
    const moving = air.kind === 'off-air' || air.kind === 'connecting' ? routes.moving(streamId, oneClick) : undefined;
    if (moving !== undefined) return { ...moving, ...(air.kind === 'connecting' && { back: 'sending' as const }) };
    if (air.kind !== 'off-air') return air;
    if (oneClick.kind === 'starting' || oneClick.kind === 'running') return { kind: 'connecting', since: oneClick.since };
    const lost = routes.lost(streamId);
    return lost === undefined ? air : { kind: 'off-air', endedAt: lost.endedAt, reason: lost.reason };
  }

  #lost(streamId: string): EndedBroadcast | undefined {
    const elsewhere = this.#sources.routes.lost(streamId);
    if (elsewhere !== undefined) return elsewhere;
    const { ends } = this.#sources.streams;
    const lost = ends.findLost(streamId);
    const end = lost === undefined ? undefined : ends.find(lost);
    return end && endedBroadcast(end);
  }

  #view(stream: KeylessStream, known?: { air: AirState; verdict: Verdict | undefined }): StreamView {
    const { registry, oneClicks } = this.#sources;
    const live = registry.findLive(stream.id);
    const lastSeen = (stream.isActive && live?.lastMediaAt) || stream.lastSeen;
    const oneClick = oneClicks.state(stream.id);
    const lost = this.#lost(stream.id);
    const air = known?.air ?? this.#air(stream.id, oneClick);
    const findVerdict = () => (known ? known.verdict : drawVerdict(this.facts(stream.id)));
    return {
      ...stream,
      lastSeen,
      ...(lost && {
        lost: { sessionId: lost.sessionId, endedAt: lost.endedAt, ...(wasBefore(lost, oneClick) && { isEarlier: true }) },
      }),
      air,
      ...(air.kind === 'on-air' && describeSeverity(findVerdict())),
      ...(oneClick.kind !== 'idle' && { oneClick: oneClick.kind }),
    };
  }
}

/** Whether this broadcast was lost before the one-click broadcast that is retrying. */
function wasBefore({ endedAt }: EndedBroadcast, oneClick: OneClickState): boolean {
  return oneClick.kind === 'retrying' && endedAt < oneClick.since;
}

function collectSent(meter: RunningAudioMeter | undefined): Pick<LiveFacts, 'sound' | 'heardMs'> {
  return { sound: meter?.judge() ?? [], heardMs: meter?.heardMs ?? 0 };
}
