import { expect, test } from 'vitest';
import { AnswerFollower } from './answer-follower.ts';
import { AnsweredStream } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import { RemoteError } from './remote-error.ts';

const show = { id: 'show', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', isActive: false };

/** Follows a stream whose answers come when the test gives them. */
function startFollower() {
  const answers: PromiseWithResolvers<AnsweredStream>[] = [];
  const api = {
    poll: (read: () => unknown) => read(),
    getStream: () => {
      const answer = Promise.withResolvers<AnsweredStream>();
      answers.push(answer);
      return answer.promise;
    },
    listSessions: async () => [],
  } as unknown as RemoteApi;
  const told: string[] = [];
  const follower = new AnswerFollower({
    id: 'show',
    clock: { monotonicMs: () => 0 },
    api: () => api,
    isSending: () => false,
    onAnswer: ({ stream }) => told.push(stream.name),
    onPollAnswered: () => told.push('answered'),
    onPolled: () => told.push('polled'),
  });
  return { follower, answers, told };
}

test.each([
  ['an answer', AnsweredStream.parse(show)],
  ['a failure', new RemoteError({ code: 'timed-out', afterMs: 10_000 })],
])('%s from before the last watcher left changes nothing, however late it comes', async (_what, late) => {
  const { follower, answers, told } = startFollower();
  follower.need()();
  const leave = follower.need();
  const read = follower.nextRead();
  answers[1]?.resolve(AnsweredStream.parse({ ...show, name: 'Renamed' }));
  await read;
  if (late instanceof Error) answers[0]?.reject(late);
  else answers[0]?.resolve(late);
  await new Promise(setImmediate);
  leave();
  expect([told, follower.last?.stream.name, follower.failure]).toEqual([
    ['Renamed', 'answered', 'polled'],
    'Renamed',
    undefined,
  ]);
});

test('a poll that fails after another request was answered says nothing about the service', async () => {
  const { follower, answers, told } = startFollower();
  const leave = follower.need();
  const read = follower.nextRead();
  follower.noteStream(AnsweredStream.parse({ ...show, name: 'Renamed' }));
  answers[0]?.reject(new RemoteError({ code: 'timed-out', afterMs: 10_000 }));
  await read;
  leave();
  expect([told, follower.failure, follower.failingSinceMs]).toEqual([['Renamed', 'polled'], undefined, undefined]);
});
