import type { OneClickState } from '../../shared/model/live.ts';
import { formatStreamRef } from '../../shared/model/stream-ref.ts';
import type { SessionView, StreamView } from '../../shared/model/views.ts';
import type { RemoteSession, RemoteStream } from './remote-answers.ts';

/** A remote stream as the screens see it, with times of our clock. */
export function formatView(
  stream: RemoteStream,
  {
    serviceId,
    clockAheadMs,
    oneClick,
    ...rest
  }: Pick<StreamView, 'air' | 'isUnheard' | 'lostSessionId'> & {
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
    createdAt: Math.max(0, stream.createdAt - clockAheadMs),
    lastSeen: toOurTime(stream.lastSeen, clockAheadMs),
    userID: '',
    userId: '',
    serviceId,
    ...rest,
    ...(oneClick.kind !== 'idle' && { oneClick: oneClick.kind }),
  };
}

/** A broadcast as Studio lists it. Why it ended isn't part of the interface. */
export function formatRemoteSession(session: RemoteSession, clockAheadMs: number): SessionView {
  const { name: _, ...shown } = session;
  return {
    ...shown,
    createdAt: Math.max(0, session.createdAt - clockAheadMs),
    lastSeen: toOurTime(session.lastSeen, clockAheadMs),
  };
}

/** 0 is never. */
function toOurTime(at: number, clockAheadMs: number): number {
  return at === 0 ? 0 : Math.max(1, at - clockAheadMs);
}
