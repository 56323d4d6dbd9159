import { assertNever } from '../../shared/assert-never.ts';
import { formatClock } from '../../shared/format-duration.ts';
import type { AirState, OneClickKind, OneClickState } from '../../shared/model/live.ts';
import type { StreamView } from '../../shared/model/views.ts';
import { isOwnEncoder, isSentFromHere } from '../../shared/sent-from-here.ts';
import { withUnit } from '../../shared/with-unit.ts';
import { formatMoment } from '../format/moment.ts';

/** A state's colour, everywhere: `live` is red and means on air, `warn` is amber. */
export type AirTone = 'live' | 'warn' | 'busy' | 'calm';

/** The large word of a stream, with its colour and times. Times are epoch milliseconds of the service's clock. */
export interface AirStatus {
  kind: AirState['kind'] | 'no-signal' | 'signal-lost' | 'lost' | 'suspended' | 'unknown';
  tone: AirTone;
  /** Set while on air if viewers don't get the broadcast as they should. */
  isWarned?: true;
  word:
    | 'On air'
    | 'No signal'
    | 'Unplayable'
    | 'Signal lost'
    | 'Encoder back'
    | 'Reconnected'
    | 'Reconnecting'
    | 'Connecting'
    | 'Stopping'
    | 'Off air'
    | 'Suspended'
    | 'No contact'
    | 'Stream not found';
  /** When the running broadcast began. */
  onAirSince?: number;
  /** Since when there is nothing new to play. The word counts the seconds. */
  awaySince?: number;
  /** When the broadcast ends automatically. */
  endsAt?: number;
  /** When a broadcast was lost, if not dismissed yet. */
  lostAt?: number;
}

/** Any stream's state while its service is unreachable: having been on air doesn't mean it still is. */
export const noContact: AirStatus = { kind: 'unknown', tone: 'warn', word: 'No contact' };

/** The state of a stream that its service doesn't have, or no longer has. */
export const notFound: AirStatus = { kind: 'unknown', tone: 'warn', word: 'Stream not found' };

/** The state of a stream without a broadcast whose last one wasn't lost, or without any stream. */
export const offAir: AirStatus = { kind: 'off-air', tone: 'calm', word: 'Off air' };

/** The parts of a stream that decide its state. */
type AirFacts = Pick<StreamView, 'air' | 'severity' | 'suspended' | 'lost' | 'oneClick' | 'isUnheard'>;

/** The state of a stream, the same everywhere: its word, colour and times. */
export function describeAir({ air, severity, suspended, lost, oneClick, isUnheard }: AirFacts): AirStatus {
  if (isUnheard) return noContact;
  switch (air.kind) {
    case 'on-air': {
      const { since, silentSince, unplayable } = air;
      if (silentSince === undefined) {
        return { kind: 'on-air', tone: 'live', word: 'On air', onAirSince: since, ...(severity && { isWarned: true }) };
      }
      return {
        kind: 'no-signal',
        tone: 'warn',
        word: unplayable === undefined ? 'No signal' : 'Unplayable',
        onAirSince: since,
        awaySince: silentSince,
      };
    }
    case 'connecting':
      return { kind: 'connecting', tone: 'busy', word: 'Connecting' };
    case 'reconnecting': {
      if (isEnding(air, oneClick)) return { kind: 'reconnecting', tone: 'busy', word: 'Stopping', onAirSince: air.since };
      if (air.unplayable !== undefined) {
        return { kind: 'no-signal', tone: 'warn', word: 'Unplayable', onAirSince: air.since, awaySince: air.lostAt };
      }
      // “Reconnecting” is only for our own encoder: we don't know what another program does.
      if (air.back === 'sending') {
        const word = oneClick !== undefined && isOwnEncoder(oneClick) ? 'Reconnected' : 'Encoder back';
        return { kind: 'reconnecting', tone: 'warn', word, onAirSince: air.since };
      }
      const times = { onAirSince: air.since, awaySince: air.lostAt, ...(air.until !== undefined && { endsAt: air.until }) };
      return isOurs(oneClick)
        ? { kind: 'reconnecting', tone: 'warn', word: 'Reconnecting', ...times }
        : { kind: 'signal-lost', tone: 'warn', word: 'Signal lost', ...times };
    }
    case 'off-air':
      // Whether viewers have seen anything of it: otherwise there is nothing to reconnect.
      if (oneClick === 'retrying') {
        const wasOnAir = lost !== undefined && lost.isEarlier !== true;
        return { kind: 'reconnecting', tone: 'warn', word: wasOnAir ? 'Reconnecting' : 'Connecting' };
      }
      if (lost !== undefined) {
        return { kind: 'lost', tone: 'warn', word: suspended === true ? 'Suspended' : 'Off air', lostAt: lost.endedAt };
      }
      if (suspended === true) return { kind: 'suspended', tone: 'calm', word: 'Suspended' };
      return offAir;
    default:
      return assertNever(air);
  }
}

/** Whether a broadcast is ending, so that nobody is to send anything of it. */
export function isEnding(air: AirState, oneClick: OneClickKind | undefined): boolean {
  return (air.kind === 'reconnecting' && oneClick === 'stopping') || isEndedHere(air);
}

/** Whether a broadcast from here is over, but its remote service hasn't ended it yet. */
export function isEndedHere(air: AirState): boolean {
  return air.kind === 'reconnecting' && air.isEndedHere === true;
}

/** Whether one click, not another program, sends or tries to. */
export function isOurs(oneClick: OneClickKind | undefined): boolean {
  return oneClick !== undefined && isSentFromHere({ kind: oneClick });
}

/** How long no media has arrived, while a broadcast waits for it: `6 s`. */
export function formatAway({ awaySince }: AirStatus, nowMs: number): string | undefined {
  return awaySince === undefined ? undefined : withUnit(Math.max(0, Math.floor((nowMs - awaySince) / 1000)), 's');
}

/** How long a broadcast has been on air, as a clock. */
export function formatOnAirTime({ onAirSince }: AirStatus, nowMs: number): string | undefined {
  return onAirSince === undefined ? undefined : formatClock(nowMs - onAirSince);
}

/**
 * The outcome: `picture in a moment`, `ends in 39 s`, `ended at 01:09:54`. `clockOffsetMs` is how far the service's
 * clock is ahead.
 */
export function formatAirNote(
  { word, awaySince = 0, endsAt, lostAt }: AirStatus,
  nowMs: number,
  clockOffsetMs: number,
): string | undefined {
  if (word === 'Encoder back' || word === 'Reconnected') return 'picture in a moment';
  // `nowMs` may be from just before the loss.
  if (endsAt !== undefined) return `ends in ${withUnit(secondsUntil(endsAt, Math.max(awaySince, nowMs)), 's')}`;
  return lostAt === undefined ? undefined : `ended at ${formatMoment(lostAt - clockOffsetMs, nowMs - clockOffsetMs)}`;
}

/** Whether the state has a time that changes every second. */
export function isCounted({ onAirSince, awaySince, endsAt }: AirStatus): boolean {
  return onAirSince !== undefined || awaySince !== undefined || endsAt !== undefined;
}

/** A stream's state in a window title. */
export function nameForTitle({ kind, word }: AirStatus): string {
  return kind === 'lost' ? 'Broadcast lost' : word;
}

/** Whole seconds until `atMs`, both epoch milliseconds of one clock; 0 once it is past. */
export function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

/** Whether the stream has anything for Stop to end. */
export function isBroadcasting(air: AirState, oneClick: OneClickState): boolean {
  return air.kind !== 'off-air' || isSentFromHere(oneClick);
}

/** When the broadcast began, epoch milliseconds; absent without one. */
export function broadcastSince(air: AirState): number | undefined {
  return air.kind === 'on-air' || air.kind === 'reconnecting' ? air.since : undefined;
}

/** Whether viewers have the broadcast, or may have. */
export function mayHaveViewers(air: AirState): boolean {
  return broadcastSince(air) !== undefined || (air.kind === 'connecting' && air.awaiting === 'playlist');
}

/** The states by urgency, the most urgent first. */
const urgency: readonly AirStatus['kind'][] = ['no-signal', 'signal-lost', 'reconnecting', 'on-air', 'connecting', 'lost'];

/** The order of streams in the same state, by their verdicts. */
const severities: readonly StreamView['severity'][] = ['bad', 'warn', undefined];

/** The stream shown on screens that aren't about one stream: one in trouble, else one on air; undefined without either. */
export function pickMostUrgent(streams: readonly StreamView[]): { stream: StreamView; status: AirStatus } | undefined {
  return streams
    .map((stream) => ({ stream, status: describeAir(stream) }))
    .filter(({ status }) => urgency.includes(status.kind))
    .toSorted(
      (a, b) =>
        urgency.indexOf(a.status.kind) - urgency.indexOf(b.status.kind) ||
        severities.indexOf(a.stream.severity) - severities.indexOf(b.stream.severity),
    )[0];
}

/** Summarizes the other active streams: `and 2 more on air`, `and 3 more, 2 of them on air`; undefined without any. */
export function describeOthers(others: readonly StreamView[]): string | undefined {
  const kinds = others.map((stream) => describeAir(stream).kind).filter((kind) => kind !== 'lost' && urgency.includes(kind));
  const onAir = kinds.filter((kind) => kind === 'on-air').length;
  if (kinds.length === 0) return undefined;
  if (onAir === kinds.length) return `and ${onAir} more on air`;
  return onAir === 0 ? `and ${kinds.length} more` : `and ${kinds.length} more, ${onAir} of them on air`;
}
