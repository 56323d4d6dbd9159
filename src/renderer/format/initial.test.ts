import { expect, test } from 'vitest';
import { findInitial } from './initial.ts';

test("a name's initial is its first character as people see it, in upper case", () => {
  const initials = {
    'my show': 'M',
    '  élan': 'É',
    'e\u0301lan': 'E\u0301',
    '🏳️‍🌈 Pride': '🏳️‍🌈',
    '👩‍👩‍👧 Family': '👩‍👩‍👧',
    '🇩🇪 News': '🇩🇪',
    '👋🏽 Hello': '👋🏽',
    שידור: 'ש',
    '': '',
  };
  expect(Object.keys(initials).map(findInitial)).toEqual(Object.values(initials));
});
