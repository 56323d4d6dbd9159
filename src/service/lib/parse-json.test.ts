import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test('text is parsed, and what is not JSON is undefined', () => {
  const texts = ['{"a":[1]}', 'null', '', '{"a":', '[1]\u0000', '"\ufffd"'];
  expect(texts.map(parseJson)).toEqual([{ a: [1] }, null, undefined, undefined, undefined, '\ufffd']);
});
