import { expect, test } from 'vitest';
import { ServiceError } from '../shared/errors.ts';
import { describeUnopenedStore } from '../shared/words/store-fault-words.ts';
import { formatStartFailure } from './start-failure.ts';

const paragraphs = (html: string) => [...html.matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text);

test("the page shows the error's sentence, escaped", () => {
  const error = new ServiceError('PORT_IN_USE', 'Port 1935 is in use by <b>"x" & \'y\'</b>; choose another in Settings.');
  expect(paragraphs(formatStartFailure(error, '/data/<logs>'))).toEqual([
    'Port 1935 is in use by &lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;; choose another in Settings.',
    'Close this window, fix the problem, and start Tallylight again. The log in /data/&lt;logs&gt; has details.',
  ]);
});

test('codes in the details of the error become its sentence', () => {
  const unopenedStore = { path: '/data/tallylight.db', fault: { code: 'locked' } } as const;
  const error = new ServiceError('UNAVAILABLE', 'not opened', { details: { unopenedStore } });
  expect(paragraphs(formatStartFailure(error, '/data'))[0]).toBe(describeUnopenedStore(unopenedStore));
});

test.each([
  [new Error('disk is full.'), 'Unexpected error: disk is full.'],
  ['odd', 'Unexpected error: odd.'],
])('an error without a code is shown as unexpected', (error, sentence) => {
  expect(paragraphs(formatStartFailure(error, '/data'))[0]).toBe(sentence);
});
