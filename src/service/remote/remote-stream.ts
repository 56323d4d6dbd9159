import { isArriving } from '../../shared/is-arriving.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { AirState, Meters, OneClickState } from '../../shared/model/live.ts';
import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import type { Sleep } from '../../shared/model/sleep.ts';
import { formatStreamRef } from '../../shared/model/stream-ref.ts';
import type { StreamLive, StreamView } from '../../shared/model/views.ts';
import { isSentFromHere } from '../../shared/sent-from-here.ts';
import { isSeenArriving, isSteadyElsewhere } from '../health/health-facts.ts';
import type { PlayReports } from '../health/play-reports.ts';
import type { SoundTrouble } from '../health/sound-judge.ts';
import { EventLog } from '../lib/event-log.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import { type OneClickEvent, severityOf } from '../one-click/one-click-event.ts';
import type { Clock } from '../ports.ts';
import { CourseElsewhere } from '../regions/course-elsewhere.ts';
import type { RegionEvent } from '../regions/region-route.ts';
import { AnswerFollower } from './answer-follower.ts';
import { ForeignMedia } from './foreign-media.ts';
import { LastOnAir } from './last-on-air.ts';
import { OurLoss } from './our-loss.ts';
import type { AnsweredStream } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import type { RemoteBroadcast } from './remote-broadcast.ts';
import { describeRemoteAir, type RemoteAirFacts, type RemoteFacts } from './remote-health.ts';
import { describeRemoteLive, describeRemoteStream, type KnownRemote } from './remote-live.ts';
import type { RemoteAnswer } from './remote-progress.ts';
import { RemoteTroubles } from './remote-troubles.ts';
import { StoppingOneClick } from './stopping-one-click.ts';

/** How long a service is polled that still calls a failed broadcast on air, or doesn't answer. */
const settlesWithinMs = 600_000;

export interface RemoteStreamOptions {
  serviceId: string;
  id: string;
  clock: Clock;
  /** The service, as it is now. Throws once it is removed. */
  service: () => { name: string; api: RemoteApi };
  isRemoved: () => boolean;
  oneClick: () => OneClickState;
  /** The meters of what one click sends; while the ingest is tried again, the last ones. */
  sentMeters: () => Meters | undefined;
  /** The faults of the sound that one click sends. */
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
  /** One click to it, which stays `stopping` until the service has ended its broadcast, or had time to. */
  readonly oneClick: StoppingOneClick;
  readonly #log = new EventLog();
  readonly #troubles: RemoteTroubles;
  readonly #course: CourseElsewhere;
  readonly #answers: AnswerFollower;
  readonly #foreign = new ForeignMedia();
  readonly #loss = new OurLoss();
  readonly #lastOnAir = new LastOnAir();
  #sendingSinceMs: number | undefined;
  #loggedSleep: Sleep | undefined;
  #stopNeeding: (() => void) | undefined;
  #isSending = false;
  #broadcast: RemoteBroadcast | undefined;

  constructor(options: RemoteStreamOptions) {
    const { id, clock, service, oneClick, onAnswer } = options;
    this.#options = options;
    this.#ref = formatStreamRef(options);
    this.oneClick = new StoppingOneClick(oneClick);
    this.#troubles = new RemoteTroubles(this.#log, clock);
    this.#course = new CourseElsewhere((severity, event) => this.#log.add(clock.now(), severity, event));
    this.#answers = new AnswerFollower({
      id,
      clock,
      api: () => service().api,
      isSending: () => isSentFromHere(this.oneClick.state),
      onAnswer: (answer, nowMs) => this.#note(answer, nowMs),
      onPollAnswered: onAnswer,
      onPolled: (askedAtMs) => this.#followPoll(askedAtMs),
    });
  }

  /** Whether it is polled. */
  get isPolled(): boolean {
    return this.#answers.isPolling;
  }

  /** Whether it is polled, or has something to remember. */
  get isNeeded(): boolean {
    return this.isPolled || this.oneClick.state.kind !== 'idle' || this.#loss.sinceMs !== undefined;
  }

  /** Whether its service had got some of our broadcast that is lost now. */
  get wasSent(): boolean {
    return this.#loss.wasSent;
  }

  get answer(): RemoteAnswer | undefined {
    return this.#answers.last;
  }

  get failure(): RemoteFailure | undefined {
    return this.#answers.failure;
  }

  /** One click's current or last broadcast to the stream. */
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
    return this.#answers.need();
  }

  nextRead(): Promise<void> {
    return this.#answers.nextRead();
  }

  readSoon(): void {
    this.#answers.readSoon();
  }

  /** Takes over the service's answer to another request. The known session stays only with the broadcast that it belongs to. */
  noteStream(stream: AnsweredStream): void {
    this.#answers.noteStream(stream);
  }

  /** Call at every change of the one-click broadcast: it is polled as long as that runs, and until a failed one is over. */
  followOneClick(): void {
    const { clock } = this.#options;
    const state = this.oneClick.state;
    if (state.kind === 'starting') this.oneClick.forget();
    const isSending = isSentFromHere(state);
    // The service's silence before this broadcast doesn't count.
    if (isSending && !this.#isSending) this.#answers.forgetEarlierSilence();
    this.#isSending = isSending;
    this.#broadcast?.follow(state);
    // Stop looking for another region, and let an offer lapse.
    if (state.kind === 'stopping') this.#broadcast?.route.close();
    if (!isSending) this.#broadcast?.close();
    if (isSending || this.#mayStillEnd(state)) this.#stopNeeding ??= this.#answers.need();
    else this.#stopPolling();
    const nowMs = clock.monotonicMs();
    // Before media of another program are forgotten.
    this.#loss.follow(state, {
      nowMs,
      sendingSinceMs: this.#sendingSinceMs,
      silentSinceMs: this.#answers.progress.silentSinceMs,
      isForeign: this.#foreign.isOnAir,
    });
    if (state.kind === 'running') this.#sendingSinceMs ??= nowMs;
    else this.#sendingSinceMs = undefined;
    this.#foreign.follow(state, nowMs);
    this.#followAir();
    this.#troubles.follow(this.#facts(undefined));
  }

  /** Whether its service may not have noticed yet that a broadcast from here has failed. Then we keep polling, even if nobody watches. */
  #mayStillEnd(state: OneClickState): boolean {
    if (state.kind !== 'failed' || this.#stopNeeding === undefined) return false;
    // Then the broadcast on air is another publisher's, or there is none.
    if (state.failure.code === 'taken-over' || this.#answers.failure?.code === 'no-such-stream') return false;
    const isUnsettled = this.#answers.failure !== undefined || this.#answers.isActive;
    return isUnsettled && this.#options.clock.now() - state.at < settlesWithinMs;
  }

  #stopPolling(): void {
    if (this.#stopNeeding === undefined) return;
    this.#answers.readSoon();
    this.#stopNeeding();
    this.#stopNeeding = undefined;
  }

  /** Its service was removed. */
  close(): void {
    this.#broadcast?.close();
    this.#stopPolling();
  }

  /** Call when its broadcast's region, or the broadcast as seen there, has changed. */
  followElsewhere(): void {
    if (this.#options.isRemoved()) return;
    this.#followAir();
    this.#troubles.follow(this.#facts(undefined));
  }

  addLine(event: OneClickEvent): void {
    this.#log.add(this.#options.clock.now(), severityOf(event), event);
  }

  /** Logs an event of its broadcast's route through the service's regions. */
  addRegionLine(event: RegionEvent): void {
    this.#log.add(this.#options.clock.now(), 'warn', event);
  }

  /** As the lists show it; undefined until the service has answered. */
  view(): StreamView | undefined {
    const known = this.#known(undefined);
    return known && describeRemoteStream(known);
  }

  /** Everything that Studio shows of it; undefined until the service has answered. */
  live(pageId: string | undefined, nearest: IngestPair | undefined): StreamLive | undefined {
    const known = this.#known(pageId);
    if (known === undefined) return undefined;
    const { clock, service, lastChoice, sentMeters } = this.#options;
    const { heardAtMs } = this.#answers;
    return describeRemoteLive({
      ...known,
      serviceName: service().name,
      lastChoice: lastChoice(),
      sentMeters: sentMeters(),
      route: this.#broadcast?.route,
      nearest,
      heardAt: heardAtMs === undefined ? undefined : timeOfDay(clock, heardAtMs),
      log: this.#log.lines,
    });
  }

  #known(pageId: string | undefined): KnownRemote | undefined {
    const answer = this.#answers.last;
    if (answer === undefined) return undefined;
    const { serviceId } = this.#options;
    const lost = this.#lastOnAir.findLoss(this.oneClick.state, this.#answers.isActive);
    return { serviceId, answer, facts: this.#facts(pageId), lost };
  }

  #facts(pageId: string | undefined): RemoteFacts {
    const { clock, sound, playReports, service, findSleep } = this.#options;
    const oneClick = this.oneClick.state;
    const known: RemoteAirFacts = {
      now: clock.now(),
      nowMs: clock.monotonicMs(),
      toTimeOfDay: (atMs) => timeOfDay(clock, atMs),
      clockAheadMs: service().api.clockAheadMs,
      answer: this.#answers.last,
      progress: this.#answers.progress,
      failure: this.#answers.failure,
      failingSinceMs: this.#answers.failingSinceMs,
      oneClick,
      elsewhere: this.#answers.isActive ? undefined : this.#broadcast?.see(oneClick),
      isForeign: this.#foreign.isOnAir,
      sound: sound(),
      sendingSinceMs: this.#sendingSinceMs,
      lostAtMs: this.#loss.sinceMs,
      // A broadcast from another computer doesn't sleep with this one.
      slept: isSentFromHere(oneClick) ? findSleep() : undefined,
      pageId,
    };
    const air = describeRemoteAir(known);
    if (!isSeenArriving(air)) playReports.rest(this.#ref);
    else if (!isSteadyElsewhere({ ...known, air })) playReports.ignoreStalls(this.#ref);
    return { ...known, playback: playReports.of(this.#ref), isSilenceMeant: this.#options.isSilenceMeant(air) };
  }

  #followPoll(askedAtMs: number): void {
    const { isRemoved, onChange } = this.#options;
    const isHeld = this.#answers.failure === undefined && this.#answers.isActive && this.#loss.sinceMs !== undefined;
    const isStopKnown = this.oneClick.notePoll(askedAtMs, isHeld);
    // A removed service isn't judged any more.
    if (isRemoved()) return;
    this.#troubles.follow(this.#facts(undefined));
    if (isStopKnown || this.oneClick.state.kind === 'failed') this.followOneClick();
    onChange();
  }

  #note(answer: RemoteAnswer, nowMs: number): void {
    this.#foreign.note(answer, nowMs);
    this.#loss.note(this.oneClick.state, answer.stream.isActive, this.#foreign.isOnAir);
    const { activeSinceMs } = this.#answers.progress;
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
    // The service's answers from before we sent are about another broadcast.
    const isHeard = oneClick.kind !== 'running' || this.#answers.progress.movedAtMs >= (this.#sendingSinceMs ?? 0);
    const isPlaying = elsewhere === undefined ? isArriving(air) : this.#broadcast?.isPlaying === true;
    if (this.#options.oneClick().kind === 'idle') this.#course.end({ reason: 'stopped' }, facts.nowMs);
    if (isHeard || elsewhere !== undefined) this.#course.follow(oneClick, isPlaying, facts.nowMs);
    this.#lastOnAir.follow({
      now: facts.now,
      air,
      oneClick,
      isElsewhere: elsewhere !== undefined,
      isForeign: facts.isForeign,
    });
  }

  /** Call when the owner has seen that a broadcast was lost. */
  dismissLost(): void {
    this.#lastOnAir.dismiss();
  }
}
