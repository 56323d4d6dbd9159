import { expect, test } from 'vitest';
import { PendingAnswers } from './pending-answers.ts';

test('a question that is not answered yet is asked once, and again once it is', async () => {
  const asked: PromiseWithResolvers<string>[] = [];
  const answers = new PendingAnswers<string>(() => {
    const question = Promise.withResolvers<string>();
    asked.push(question);
    return question.promise;
  });
  const both = [answers.ask('/a'), answers.ask('/a')];
  expect([asked.length, answers.isPending('/a'), answers.isPending('/b')]).toEqual([1, true, false]);
  asked[0]?.resolve('one');
  expect(await Promise.all(both)).toEqual(['one', 'one']);
  expect(answers.isPending('/a')).toBe(false);
  const next = answers.ask('/a');
  asked[1]?.reject(new Error('It is gone.'));
  await expect(next).rejects.toThrow('It is gone.');
  expect([asked.length, answers.isPending('/a')]).toEqual([2, false]);
});
