import type { OneClickState } from '../../shared/model/live.ts';
import { formatStreamRef } from '../../shared/model/stream-ref.ts';
import type { SessionView, StreamView } from '../../shared/model/views.ts';
import type { AnsweredSession, AnsweredStream } from './remote-answers.ts';

/** No `Date` is later than 8.64e15 (ECMA-262), and a page's clock may differ. */
const latest = 8e15;

/** A remote stream as the screens see it, with times of our clock. */
export function formatView(
  stream: AnsweredStream,
  {
    serviceId,
    clockAheadMs,
    oneClick,
    ...rest
  }: Pick<StreamView, 'air' | 'severity' | 'isUnheard' | 'lost'> & {
    serviceId: string;
    clockAheadMs: number;
    oneClick: OneClickState;
  },
): StreamView {
  const { streamKey: _, ...shown } = stream;
  return {
    ...shown,
    id: formatStreamRef({ serviceId, id: stream.id }),
    kind: 'stream',
    createdAt: toOurTime(stream.createdAt, clockAheadMs),
    lastSeen: toLastSeen(stream.lastSeen, clockAheadMs),
    userID: '',
    userId: '',
    serviceId,
    ...rest,
    ...(oneClick.kind !== 'idle' && { oneClick: oneClick.kind }),
  };
}

/** A broadcast as Studio lists it. Why it ended isn't part of the interface. */
export function formatRemoteSession(session: AnsweredSession, clockAheadMs: number): SessionView {
  const { name: _, ...shown } = session;
  return {
    ...shown,
    createdAt: toOurTime(session.createdAt, clockAheadMs),
    lastSeen: toLastSeen(session.lastSeen, clockAheadMs),
  };
}

/** A moment of the service's clock by ours, within what screens can show. */
export function toOurTime(at: number, clockAheadMs: number): number {
  return Math.min(latest, Math.max(0, at - clockAheadMs));
}

/** 0 means never. */
function toLastSeen(at: number, clockAheadMs: number): number {
  return at === 0 ? 0 : Math.max(1, toOurTime(at, clockAheadMs));
}
