import { expect, test } from 'vitest';
import { AnsweredSession, AnsweredStream } from './remote-answers.ts';
import { formatRemoteSession, formatView } from './remote-view.ts';

/** The latest moment that a `Date` can have. */
const end = 8.64e15;

test.each([
  ['right', 0],
  ['at the beginning of time', -end],
  ['at its end', end],
])('moments that are far too late are dates that screens can show, if the clock of their service is %s', (_, clockAheadMs) => {
  const answer = { id: 's', name: 'Show', createdAt: Number.MAX_SAFE_INTEGER, lastSeen: Number.MAX_SAFE_INTEGER };
  const session = formatRemoteSession(AnsweredSession.parse(answer), clockAheadMs);
  const view = formatView(AnsweredStream.parse({ ...answer, playbackId: 'p', streamKey: 'k' }), {
    serviceId: 'service1',
    clockAheadMs,
    air: { kind: 'off-air' },
    isUnheard: false,
    oneClick: { kind: 'idle' },
  });
  for (const at of [session.createdAt, session.lastSeen, view.createdAt, view.lastSeen]) {
    expect(new Date(at).getTime()).toBe(at);
  }
});
