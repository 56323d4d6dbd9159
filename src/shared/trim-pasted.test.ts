import { expect, test } from 'vitest';
import { readPastedPath, trimPasted } from './trim-pasted.ts';

test.each([
  ['white space of any width', ' \t\u00a0\u3000key\u00a0\r\n', 'key'],
  ['the direction that Windows puts before a path in its properties', '\u202aC:\\Users\\me\\a.mp4', 'C:\\Users\\me\\a.mp4'],
  ['zero-width spaces and a byte order mark', '\ufeff\u200bkey\u200b \u2060', 'key'],
  ['nothing in the middle', ' a \u200b b ', 'a \u200b b'],
  [
    'no part of an emoji',
    '/clips/🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} ',
    '/clips/🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  ['every line', '\na\n\nb\n', 'a\n\nb'],
  ['all of a text that shows nothing', ' \u200b\u00a0', ''],
])('trims %s', (_what, text, trimmed) => {
  expect(trimPasted(text)).toBe(trimmed);
});

test.each([
  ['in the quotes of “Copy as path” on Windows', '"C:\\My clips\\a.mp4"', 'C:\\My clips\\a.mp4'],
  ['in quotes with spaces around them', ' "C:\\a.mp4"\u200b ', 'C:\\a.mp4'],
  ['with a quote in its name', '/home/me/12" vinyl "live".mp4', '/home/me/12" vinyl "live".mp4'],
  ['that is only a quote', '"', '"'],
  ['that is empty', '""', '""'],
])('reads a path %s', (_how, text, path) => {
  expect(readPastedPath(text)).toBe(path);
});

test('trimming a long text takes time in proportion to its length', () => {
  const spaces = ' '.repeat(500_000);
  expect(trimPasted(`${spaces}a${spaces}b${spaces}`)).toBe(`a${spaces}b`);
});
