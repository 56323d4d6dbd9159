import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startInTurn } from './in-turn.ts';

/** An answer, and how often it was started. */
function createAnswer() {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  const started = { count: 0 };
  const start = () => startInTurn(answer, () => (started.count += 1));
  return { answer, start, started };
}

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

test('an answer that has its connection starts at once, another when it gets it', async () => {
  const [first, second] = [createAnswer(), createAnswer()];
  first.answer.assignSocket(new Socket());
  first.start();
  second.start();
  expect([first.started.count, second.started.count]).toEqual([1, 0]);
  second.answer.assignSocket(new Socket());
  await nextTick();
  expect([first.started.count, second.started.count]).toEqual([1, 1]);
});

test('an answer whose connection is closed when its turn comes does not start', async () => {
  const { answer, start, started } = createAnswer();
  start();
  answer.assignSocket(new Socket().destroy());
  await nextTick();
  expect(started.count).toBe(0);
});
