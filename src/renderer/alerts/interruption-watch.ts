import type { StreamView } from '../../shared/model/views.ts';
import { lateTimerMs } from '../client/page-sleep.ts';
import { type AirStatus, describeAir } from '../status/air-status.ts';

/** How long viewers may get nothing new before that alerts, in milliseconds. */
const patienceMs = 5_000;
/** A broadcast that ends this soon after that, in milliseconds, alerts only once: as lost. */
const imminentMs = 3_000;
/** An interruption that is older than this when the page first sees it, in milliseconds: the computer, its service or the page slept. */
const foundLateMs = 10_000;
/** How long an interruption must last after a sleep before it alerts, in milliseconds: media may be about to come back. */
const wakesWithinMs = 3_000;

/** An interruption that has lasted long enough to alert. */
interface AlertedInterruption extends Pick<AirStatus, 'word'> {
  streamId: string;
  name: string;
  /** Different for each interruption, and equal in all pages. */
  tag: string;
}

interface WatchOptions {
  /** The service's clock, in epoch milliseconds. */
  serviceNowMs: () => number;
  /** Alerts the user; returns how to withdraw that. */
  alert: (interruption: AlertedInterruption) => () => void;
}

/** A period in which a broadcast gives its viewers nothing new. */
interface Interruption {
  sessionId: string;
  /** Whether the page knew the stream before. */
  isNews: boolean;
  /**
   * When it began by the service's clock, and when it alerts by the page's monotonic one, in milliseconds; undefined until known.
   * `hasSlept`: it alerts later, since the page slept. Only once: all timers of a hidden page may be late.
   */
  began?: { at: number; dueAt: number; hasSlept?: true };
  /** Set once it has alerted. */
  withdraw?: () => void;
}

/**
 * Whether its broadcast, which a remote service may still wait for, has failed: that alerts as lost (`findNewlyLost`). Another session is
 * judged by times, since a service may begin one for each connection.
 */
function isLost({ air, oneClick, lost }: StreamView): boolean {
  if (oneClick !== 'failed' || air.kind !== 'reconnecting' || lost === undefined) return false;
  return lost.sessionId === air.sessionId || lost.endedAt >= air.lostAt;
}

/**
 * Watches the streams for broadcasts that have given viewers nothing new for 5 s, as their state says (`describeAir`), and alerts once for
 * each such interruption. The alert is withdrawn once the interruption or its broadcast is over. An interruption that the page finds when
 * it opens doesn't alert, and one that a sleep hid only if it lasts for another 3 s.
 *
 * @returns a function to call with the streams whenever they change, and with undefined while they can't be known
 */
export function watchInterruptions({
  serviceNowMs,
  alert,
}: WatchOptions): (streams: readonly StreamView[] | undefined) => void {
  /** By stream; undefined while a stream isn't interrupted, missing while nothing is known about it. */
  const known = new Map<string, Interruption | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** By the page's monotonic clock, in milliseconds. */
  let timerDueAt = Number.POSITIVE_INFINITY;

  const follow = (stream: StreamView, status: AirStatus): Interruption | undefined => {
    const { id, air } = stream;
    const before = known.get(id);
    const isInterrupted = status.onAirSince !== undefined && status.kind !== 'on-air' && !isLost(stream);
    const sessionId = isInterrupted && 'sessionId' in air ? air.sessionId : undefined;
    if (before !== undefined && before.sessionId === sessionId) return before;
    before?.withdraw?.();
    const next = sessionId === undefined ? undefined : { sessionId, isNews: known.has(id) };
    known.set(id, next);
    return next;
  };

  /** Alerts if it is time; returns in how many milliseconds it will be, if it isn't. */
  const alertInTime = (
    interruption: Interruption,
    { id, name }: StreamView,
    { word, awaySince, endsAt }: AirStatus,
  ): number | undefined => {
    // An encoder that is back is about to give a picture, and has no such time.
    if (!interruption.isNews || interruption.withdraw !== undefined || awaySince === undefined) return undefined;
    interruption.began ??= { at: awaySince, dueAt: performance.now() + leftMs(awaySince) };
    const { at, dueAt } = interruption.began;
    if (endsAt !== undefined && endsAt <= at + patienceMs + imminentMs) return undefined;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) return waitMs;
    interruption.withdraw = alert({ streamId: id, name, word, tag: `${interruption.sessionId} ${at}` });
    return undefined;
  };
  const leftMs = (awaySince: number) => {
    const ageMs = serviceNowMs() - awaySince;
    return ageMs > foundLateMs ? wakesWithinMs : Math.min(Math.max(0, patienceMs - ageMs), patienceMs);
  };
  const noteSleep = () => {
    const dueAt = performance.now() + wakesWithinMs;
    for (const interruption of known.values()) {
      const began = interruption?.began;
      if (began !== undefined && began.hasSlept !== true) Object.assign(began, { dueAt, hasSlept: true });
    }
  };

  const see = (streams: readonly StreamView[] | undefined) => {
    clearTimeout(timer);
    // A message of before the sleep may be read before the timer runs.
    if (performance.now() - timerDueAt > lateTimerMs) noteSleep();
    timerDueAt = Number.POSITIVE_INFINITY;
    if (streams === undefined) return;
    for (const [id, interruption] of known) {
      if (streams.some((stream) => stream.id === id)) continue;
      interruption?.withdraw?.();
      known.delete(id);
    }
    const waitsMs = streams.flatMap((stream) => {
      const status = describeAir(stream);
      const interruption = status.kind === 'unknown' ? undefined : follow(stream, status);
      return (interruption && alertInTime(interruption, stream, status)) ?? [];
    });
    if (waitsMs.length === 0) return;
    const waitMs = Math.min(...waitsMs);
    timerDueAt = performance.now() + waitMs;
    timer = setTimeout(() => see(streams), waitMs);
  };
  return see;
}
