import { expect, test } from 'vitest';
import { isolateName } from './isolate-name.ts';

test.each(['Sunday show', 'Größe 2,5 (α, β)', '配信 2', 'Воскресенье', '👩‍👩‍👧 live'])('the name %j stays as it is', (name) => {
  expect(isolateName(name)).toBe(name);
});

test.each([
  ['Hebrew', 'ערוץ 2!'],
  ['Arabic', 'Live بث'],
  ['Adlam', '𞤀𞤣𞤤𞤢𞤥'],
  ['text that is turned around', 'Show \u202Etxt.exe'],
])('a name with %s is isolated', (_script, name) => {
  expect(isolateName(name)).toBe(`\u2068${name}\u2069`);
});

test('a name that begins with an isolated one keeps it, and its own direction', () => {
  expect(isolateName(`${isolateName('שיר 1')} and 1 more`)).toBe('\u2068\u2068שיר 1\u2069 and 1 more\u2069');
});

test('a name cannot end its own isolation', () => {
  expect(isolateName('a\u2069\u202Eb\u2067')).toBe('\u2068a\u202Eb\u2069');
});
