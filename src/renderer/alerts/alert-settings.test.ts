import { expect, test } from 'vitest';
import { parseAlertSettings } from './alert-settings.ts';

const initial = { isNotifying: true, isSounding: false };

test('stored settings are read, and missing or garbled ones take the default', () => {
  expect(parseAlertSettings('{"isNotifying":false,"isSounding":true}')).toEqual({ isNotifying: false, isSounding: true });
  expect(parseAlertSettings('{"isSounding":true}')).toEqual({ isNotifying: true, isSounding: true });
  for (const text of [null, '', 'null', '7', '{"isSounding":"yes"}', '{']) expect(parseAlertSettings(text)).toEqual(initial);
});
