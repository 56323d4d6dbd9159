import { expect, test } from 'vitest';
import { AnsweredSession } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import { RemoteError } from './remote-error.ts';
import { listRemoteSessions } from './remote-sessions.ts';

const list = (listSessions: () => Promise<AnsweredSession[]>) =>
  listRemoteSessions({ clockAheadMs: 0, listSessions } as unknown as RemoteApi, 'show', 10);

test('a service that does not list broadcasts has none to show, but a failure is reported', async () => {
  const session = AnsweredSession.parse({ id: 'last', name: 'Show', createdAt: 5_000, isActive: false });
  expect(await list(async () => [session])).toMatchObject([{ id: 'last', isActive: false }]);
  expect(await list(() => Promise.reject(new RemoteError({ code: 'not-offered', status: 404 })))).toEqual([]);
  const failure = { code: 'server-error', status: 502 } as const;
  await expect(list(() => Promise.reject(new RemoteError(failure)))).rejects.toMatchObject({ failure });
});
