import { expect, test } from 'vitest';
import { NewestSession } from './newest-session.ts';
import { AnsweredSession, AnsweredStream } from './remote-answers.ts';
import { RemoteError } from './remote-error.ts';

const stored = { id: 'show', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', profiles: [] };
const stream = (isActive: boolean) => AnsweredStream.parse({ ...stored, isActive });
const session = (id: string, isActive: boolean) => AnsweredSession.parse({ ...stored, id, isActive });

/** A service whose newest session is this one, or that says that it lists none. */
function serve(newest: AnsweredSession | undefined) {
  const api = {
    asked: 0,
    newest,
    listSessions: async () => {
      api.asked += 1;
      if (api.newest === undefined) throw new RemoteError({ code: 'not-offered', status: 404 });
      return [api.newest];
    },
  };
  return api;
}

test('the session of an idle stream is asked for once more when it is over, and again with the next broadcast', async () => {
  const newest = new NewestSession();
  const api = serve(session('first', true));
  let known = await newest.read(api, stream(true), undefined);
  api.newest = session('first', false);
  const seen: unknown[] = [];
  for (const isActive of [false, false, false, true]) {
    if (isActive) api.newest = session('second', true);
    known = await newest.read(api, stream(isActive), known);
    seen.push([known?.id, known?.isActive, api.asked]);
  }
  expect(seen).toEqual([
    ['first', false, 2],
    ['first', false, 2],
    ['first', false, 2],
    ['second', true, 3],
  ]);
});

test('what a service lists says nothing about the one at another address', async () => {
  const newest = new NewestSession();
  const without = serve(undefined);
  for (let poll = 0; poll < 5; poll += 1) expect(await newest.read(without, stream(true), undefined)).toBeUndefined();
  expect(without.asked).toBe(3);
  expect(await newest.read(serve(session('there', true)), stream(true), undefined)).toMatchObject({ id: 'there' });
  // Nor does it owe sessions because the other one listed some.
  expect(await newest.read(serve(undefined), stream(true), undefined)).toBeUndefined();
});
