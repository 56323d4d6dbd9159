import { expect, test } from 'vitest';
import { ServiceError } from '../shared/errors.ts';
import { formatStartFailure } from './start-failure.ts';

const paragraphs = (html: string) => [...html.matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text);

test('the page says the sentence of the error, with nothing in it read as markup', () => {
  const error = new ServiceError('PORT_IN_USE', 'Port 1935 is in use by <b>"x" & \'y\'</b>; choose another in Settings.');
  expect(paragraphs(formatStartFailure(error, '/data/<logs>'))).toEqual([
    'Port 1935 is in use by &lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;; choose another in Settings.',
    'Close this window, and start Tallylight again once that is mended. The log in /data/&lt;logs&gt; says more.',
  ]);
});

test.each([
  [new Error('disk is full.'), 'An unexpected fault: disk is full.'],
  ['odd', 'An unexpected fault: odd.'],
])('a fault without a code is named as one', (error, sentence) => {
  expect(paragraphs(formatStartFailure(error, '/data'))[0]).toBe(sentence);
});
