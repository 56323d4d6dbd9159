import { isArriving } from '../../shared/is-arriving.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { AirState, EndedBroadcast, OneClickState } from '../../shared/model/live.ts';
import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import type { RouteView } from '../../shared/model/region.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import type { Sleep } from '../../shared/model/sleep.ts';
import { formatStreamRef } from '../../shared/model/stream-ref.ts';
import type { StreamLive, StreamView } from '../../shared/model/views.ts';
import { isSentFromHere } from '../../shared/one-click-failure.ts';
import { isSeenArriving, isSteadyElsewhere } from '../health/health-facts.ts';
import type { PlayReports } from '../health/play-reports.ts';
import { describeSent } from '../health/sent-meters.ts';
import type { SoundTrouble } from '../health/sound-judge.ts';
import { EventLog } from '../lib/event-log.ts';
import { SharedPoll } from '../lib/shared-poll.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import { type OneClickEvent, severityOf } from '../one-click/one-click-event.ts';
import type { Clock } from '../ports.ts';
import { CourseElsewhere } from '../regions/course-elsewhere.ts';
import { describeLoss } from '../regions/lost-elsewhere.ts';
import type { RegionEvent } from '../regions/region-route.ts';
import { ForeignMedia } from './foreign-media.ts';
import { NewestSession } from './newest-session.ts';
import { type PollFailure, pollPauseMs } from './poll-pause.ts';
import type { RemoteStream as StreamAnswer } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import type { RemoteBroadcast } from './remote-broadcast.ts';
import { readRemoteFailure } from './remote-error.ts';
import { describeRemoteAir, judgeRemote, type RemoteFacts } from './remote-health.ts';
import { type RemoteAnswer, RemoteProgress } from './remote-progress.ts';
import type { RemoteRegion } from './remote-route.ts';
import { RemoteTroubles } from './remote-troubles.ts';
import { formatRemoteSession, formatView } from './remote-view.ts';

/** The pauses between two polls of a stream: on air or about to be, and otherwise. */
const livePauseMs = 2_000;
const idlePauseMs = 5_000;
/** A service that still says that a failed broadcast is on air, or doesn't answer, is asked no longer than this. */
const settlesWithinMs = 600_000;

export interface RemoteStreamOptions {
  serviceId: string;
  id: string;
  clock: Clock;
  /** The service, as it is now. Throws once it is removed. */
  service: () => { name: string; api: RemoteApi };
  isRemoved: () => boolean;
  oneClick: () => OneClickState;
  /** What is wrong with the sound that one click sends. */
  sound: () => readonly SoundTrouble[];
  /** Whether its owner has said that the silence of this air state is meant. */
  isSilenceMeant: (air: AirState) => boolean;
  lastChoice: () => OneClickChoice | undefined;
  playReports: Pick<PlayReports, 'of' | 'rest' | 'ignoreStalls'>;
  /** The computer has slept and just woken up. */
  findSleep: () => Sleep | undefined;
  /** Called after each poll that the service has answered. */
  onAnswer: () => void;
  /** Something that is shown has changed. */
  onChange: () => void;
}

/** One stream of a remote service while somebody watches it or this computer sends to it: polled, and put together for the screens. */
export class RemoteStream {
  readonly #options: RemoteStreamOptions;
  readonly #ref: string;
  readonly #poll: SharedPoll;
  readonly #log = new EventLog();
  readonly #troubles: RemoteTroubles;
  readonly #course: CourseElsewhere;
  #progress = new RemoteProgress();
  readonly #foreign = new ForeignMedia();
  #answer: RemoteAnswer | undefined;
  #failure: (PollFailure & { sinceMs: number }) | undefined;
  #heardAtMs: number | undefined;
  #sendingSinceMs: number | undefined;
  #loggedSleep: Sleep | undefined;
  readonly #newestSession = new NewestSession();
  #stopNeeding: (() => void) | undefined;
  #isSending = false;
  /** The last broadcast from here that was on air. */
  #onAir: { sessionId: string; since: number; endedAt?: number; isElsewhere: boolean } | undefined;
  #broadcast: RemoteBroadcast | undefined;

  constructor(options: RemoteStreamOptions) {
    this.#options = options;
    this.#ref = formatStreamRef(options);
    this.#troubles = new RemoteTroubles(this.#log, options.clock);
    this.#course = new CourseElsewhere((severity, event) => this.#log.add(options.clock.now(), severity, event));
    this.#poll = new SharedPoll({ read: () => this.#read(), pauseMs: () => this.#pauseMs() });
  }

  /** Whether it is polled. */
  get isPolled(): boolean {
    return this.#poll.isNeeded;
  }

  /** Whether it is polled, or has something to remember. */
  get isNeeded(): boolean {
    return this.isPolled || this.#options.oneClick().kind !== 'idle';
  }

  get answer(): RemoteAnswer | undefined {
    return this.#answer;
  }

  get failure(): RemoteFailure | undefined {
    return this.#failure?.failure;
  }

  /** What one click sends there, or last sent. */
  get broadcast(): RemoteBroadcast | undefined {
    return this.#broadcast;
  }

  /** One click begins a broadcast. */
  begin(broadcast: RemoteBroadcast): void {
    this.#broadcast?.close();
    this.#broadcast = broadcast;
  }

  /** Polls until the returned undo is called. */
  need(): () => void {
    return this.#poll.need();
  }

  nextRead(): Promise<void> {
    return this.#poll.nextRead();
  }

  readSoon(): void {
    this.#poll.wake();
  }

  /** Takes over what the service has answered to another request; the session that is known belongs to the broadcast that is known. */
  noteStream(stream: StreamAnswer): void {
    const known = this.#answer;
    this.#note({ stream, session: known?.stream.isActive === stream.isActive ? known.session : undefined });
  }

  /** Call at every change of the one-click broadcast: it is polled as long as that runs, and until a failed one is over. */
  followOneClick(): void {
    const { oneClick, clock } = this.#options;
    const state = oneClick();
    const isSending = isSentFromHere(state);
    // How long it didn't answer before is no part of this broadcast.
    if (isSending && !this.#isSending && this.#failure) this.#failure.sinceMs = clock.monotonicMs();
    this.#isSending = isSending;
    this.#broadcast?.follow(state);
    if (!isSending) this.#broadcast?.close();
    if (isSending || this.#mayStillEnd(state)) this.#stopNeeding ??= this.#poll.need();
    else this.#stopPolling();
    if (state.kind === 'running') this.#sendingSinceMs ??= clock.monotonicMs();
    else this.#sendingSinceMs = undefined;
    this.#foreign.follow(state, clock.monotonicMs());
    if (state.kind === 'starting') this.#onAir = undefined;
    this.#followAir();
    this.#troubles.follow(this.#facts(undefined));
  }

  /** Whether its service may not have noticed yet that a broadcast from here has failed: nobody else may ask. */
  #mayStillEnd(state: OneClickState): boolean {
    if (state.kind !== 'failed' || this.#stopNeeding === undefined) return false;
    // Then what is on air is another's, or nothing is.
    if (state.failure.code === 'taken-over' || this.failure?.code === 'no-such-stream') return false;
    const isUnsettled = this.#failure !== undefined || this.#answer?.stream.isActive === true;
    return isUnsettled && this.#options.clock.now() - state.at < settlesWithinMs;
  }

  #stopPolling(): void {
    if (this.#stopNeeding === undefined) return;
    this.#poll.wake();
    this.#stopNeeding();
    this.#stopNeeding = undefined;
  }

  /** Its service was removed. */
  close(): void {
    this.#broadcast?.close();
    this.#stopPolling();
  }

  /** Call when its broadcast's region has changed, or what is seen of the broadcast there. */
  followElsewhere(): void {
    if (this.#options.isRemoved()) return;
    this.#followAir();
    this.#troubles.follow(this.#facts(undefined));
  }

  addLine(event: OneClickEvent): void {
    this.#log.add(this.#options.clock.now(), severityOf(event), event);
  }

  /** What happens between its broadcast and the service's regions. */
  addRegionLine(event: RegionEvent): void {
    this.#log.add(this.#options.clock.now(), 'warn', event);
  }

  /** As the lists show it; undefined until the service has answered. */
  view(): StreamView | undefined {
    if (this.#answer === undefined) return undefined;
    const facts = this.#facts(undefined);
    const lost = this.#lost();
    return formatView(this.#answer.stream, {
      serviceId: this.#options.serviceId,
      clockAheadMs: facts.clockAheadMs,
      air: describeRemoteAir(facts),
      oneClick: facts.oneClick,
      isUnheard: facts.failure !== undefined && !isSentFromHere(facts.oneClick),
      ...(lost && { lostSessionId: lost.sessionId, lostAt: lost.endedAt }),
    });
  }

  /** Everything that Studio shows of it; undefined until the service has answered. */
  live(pageId: string | undefined, pair: IngestPair | undefined): StreamLive | undefined {
    const stream = this.view();
    if (stream === undefined) return undefined;
    const facts = this.#facts(pageId);
    const { stages, verdict } = judgeRemote(facts);
    // A session in a region that the service doesn't speak for is known to nobody here.
    const session = isThere(facts.elsewhere) ? undefined : this.#answer?.session;
    return {
      now: facts.now,
      stream,
      oneClick: facts.oneClick,
      lastChoice: this.#options.lastChoice(),
      refusals: [],
      lost: this.#lost(),
      meters: describeSent(facts.oneClick, facts.now),
      stages,
      verdict,
      renditions: [],
      region: this.#describeRegion(facts),
      log: [...this.#log.lines],
      session: session && formatRemoteSession(session, facts.clockAheadMs),
      service: {
        name: this.#options.service().name,
        pair: toPair(isSentFromHere(facts.oneClick) ? this.#broadcast?.route.region : undefined) ?? pair,
        failure: facts.failure,
        clockAheadMs: facts.clockAheadMs,
        heardAt: this.#heardAtMs === undefined ? undefined : timeOfDay(this.#options.clock, this.#heardAtMs),
      },
    };
  }

  /** Only while another region is offered, or while it is on air in one that the service doesn't speak for. */
  #describeRegion({ oneClick, elsewhere }: RemoteFacts): RouteView | undefined {
    const { region, offer } = this.#broadcast?.route ?? {};
    if (region === undefined || !isSentFromHere(oneClick)) return undefined;
    if (offer === undefined && !isThere(elsewhere)) return undefined;
    const { code, ingest, playback } = region;
    return { code, isOwn: false, ingest, playback, ...(offer && { offer: offer.code }) };
  }

  #facts(pageId: string | undefined): RemoteFacts {
    const { clock, oneClick, sound, playReports, service, findSleep } = this.#options;
    const known: Omit<RemoteFacts, 'isSilenceMeant' | 'playback'> = {
      now: clock.now(),
      nowMs: clock.monotonicMs(),
      toTimeOfDay: (atMs) => timeOfDay(clock, atMs),
      clockAheadMs: service().api.clockAheadMs,
      answer: this.#answer,
      progress: this.#progress,
      failure: this.#failure?.failure,
      failingSinceMs: this.#failure?.sinceMs,
      oneClick: oneClick(),
      elsewhere: this.#answer?.stream.isActive === true ? undefined : this.#broadcast?.see(oneClick()),
      isForeign: this.#foreign.isOnAir,
      sound: sound(),
      sendingSinceMs: this.#sendingSinceMs,
      // What another computer sends does not sleep with this one.
      slept: isSentFromHere(oneClick()) ? findSleep() : undefined,
      pageId,
    };
    const air = describeRemoteAir(known);
    if (!isSeenArriving(air)) playReports.rest(this.#ref);
    else if (!isSteadyElsewhere({ ...known, air })) playReports.ignoreStalls(this.#ref);
    return { ...known, playback: playReports.of(this.#ref), isSilenceMeant: this.#options.isSilenceMeant(air) };
  }

  async #read(): Promise<void> {
    const { service, isRemoved, id, clock, onAnswer, onChange } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const known = this.#answer;
    try {
      const { api } = service();
      const answer = await api.poll(async () => {
        const stream = await api.getStream(id);
        return { stream, session: await this.#newestSession.read(api, stream, known?.session) };
      });
      // What another request was answered meanwhile is newer.
      if (this.#answer === known) this.#note(answer);
      onAnswer();
    } catch (error) {
      const { count = 0, sinceMs = askedAtMs } = this.#failure ?? {};
      this.#failure = { failure: readRemoteFailure(error), count: count + 1, sinceMs };
    }
    // Then there is nothing left to judge.
    if (isRemoved()) return;
    this.#troubles.follow(this.#facts(undefined));
    if (this.#options.oneClick().kind === 'failed') this.followOneClick();
    onChange();
  }

  #note(answer: RemoteAnswer): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#answer = answer;
    this.#failure = undefined;
    this.#heardAtMs = nowMs;
    this.#progress.note(answer, nowMs);
    this.#foreign.note(answer, nowMs);
    const { activeSinceMs } = this.#progress;
    if (activeSinceMs !== undefined && activeSinceMs >= (this.#sendingSinceMs ?? Number.POSITIVE_INFINITY))
      this.#broadcast?.noteActive();
    this.#followAir();
  }

  #followAir(): void {
    const facts = this.#facts(undefined);
    const { oneClick, slept, elsewhere } = facts;
    if (slept && slept !== this.#loggedSleep && 'since' in oneClick && slept.to > oneClick.since) {
      this.#loggedSleep = slept;
      this.#log.add(facts.now, 'warn', { code: 'slept', sleep: slept });
    }
    const air = describeRemoteAir(facts);
    // What the service said before we sent is about another broadcast.
    const isHeard = oneClick.kind !== 'running' || this.#progress.movedAtMs >= (this.#sendingSinceMs ?? 0);
    const isPlaying = elsewhere === undefined ? isArriving(air) : this.#broadcast?.isPlaying === true;
    if (oneClick.kind === 'idle') this.#course.end({ reason: 'stopped' }, facts.nowMs);
    if (isHeard || elsewhere !== undefined) this.#course.follow(oneClick, isPlaying, facts.nowMs);
    if (!isSentFromHere(oneClick)) return;
    // While it starts or tries again, what is on air is another encoder's.
    if (air.kind === 'on-air' && oneClick.kind !== 'starting' && oneClick.kind !== 'retrying')
      this.#onAir = { sessionId: air.sessionId, since: air.since, isElsewhere: elsewhere !== undefined };
    else if ((air.kind === 'off-air' || facts.isForeign === true) && this.#onAir) this.#onAir.endedAt ??= facts.now;
  }

  #pauseMs(): number {
    const isLive = this.#answer?.stream.isActive === true || isSentFromHere(this.#options.oneClick());
    return pollPauseMs(isLive ? livePauseMs : idlePauseMs, this.#failure);
  }

  /** Call when the owner has seen that a broadcast was lost. */
  dismissLost(): void {
    this.#onAir = undefined;
  }

  /**
   * A broadcast from here that was on air and has failed, or that its service has ended while its ingest was tried again: until it is
   * dismissed or another one starts.
   */
  #lost(): EndedBroadcast | undefined {
    const oneClick = this.#options.oneClick();
    if (this.#onAir === undefined) return undefined;
    const { endedAt } = this.#onAir;
    if (oneClick.kind === 'retrying' && endedAt !== undefined) return describeLoss(this.#onAir, endedAt, oneClick.failure);
    // Another encoder took over: nothing was lost while it is on air.
    const isTakenOver = oneClick.kind === 'failed' && oneClick.failure.code === 'taken-over';
    const isOnAir = this.#onAir.isElsewhere || this.#answer?.stream.isActive === true;
    if (oneClick.kind !== 'failed' || (isTakenOver && isOnAir)) return undefined;
    return describeLoss(this.#onAir, endedAt ?? oneClick.at, oneClick.failure);
  }
}

/** Whether viewers have a broadcast in a region that the service doesn't speak for, or had it and wait. */
function isThere(elsewhere: RemoteFacts['elsewhere']): boolean {
  return elsewhere?.air.kind === 'on-air' || elsewhere?.air.kind === 'reconnecting';
}

function toPair(region: RemoteRegion | undefined): IngestPair | undefined {
  return region && { ingest: region.ingest, playback: region.playback };
}
