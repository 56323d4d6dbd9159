import { expect, test } from 'vitest';
import { isPressOf } from './is-press-of.ts';

const press = (key: string, code: string, pressed: { shiftKey?: boolean; isComposing?: boolean } = {}) => ({
  key,
  code,
  shiftKey: false,
  isComposing: false,
  ...pressed,
});

test.each([
  ['a Russian', '.', press('ю', 'Period')],
  ['a Russian', 't', press('е', 'KeyT')],
  ['a Russian', 't', press('Е', 'KeyT', { shiftKey: true })],
  ['a Greek', 't', press('τ', 'KeyT')],
  ['an Arabic', '?', press('؟', 'Slash', { shiftKey: true })],
  ['an Arabic', '.', press('ز', 'Period')],
  ['a Hebrew', '.', press('ץ', 'Period')],
  ['a Thai', '?', press('ฦ', 'Slash', { shiftKey: true })],
  ['a Korean', 't', press('ㅅ', 'KeyT')],
])('%s keyboard has %s where a US keyboard has it', (_keyboard, key, event) => {
  expect(isPressOf(key, event)).toBe(true);
});

test.each([
  ['a French', '.', press('.', 'Comma', { shiftKey: true })],
  ['a French', '?', press('?', 'KeyM', { shiftKey: true })],
  ['a Dvorak', 't', press('t', 'KeyK')],
  ['a Dvorak', '.', press('.', 'KeyE')],
  ['a German', '?', press('?', 'Minus', { shiftKey: true })],
  ['a Russian', '.', press('.', 'Slash')],
  ['any', 'Enter', press('Enter', 'NumpadEnter')],
  ['any', 't', press('T', 'KeyT', { shiftKey: true })],
])('%s keyboard has %s where it types it', (_keyboard, key, event) => {
  expect(isPressOf(key, event)).toBe(true);
});

test.each([
  ['a French', '.', press(':', 'Period')],
  ['a Dvorak', 't', press('y', 'KeyT')],
  ['a Bépo', 't', press('è', 'KeyT')],
  ['a German', '?', press('_', 'Slash', { shiftKey: true })],
  ['a Russian', '?', press('.', 'Slash')],
  ['an Arabic', '?', press('ظ', 'Slash')],
  ['a Russian', 't', press('н', 'KeyY')],
  ['a Russian', 'Escape', press('е', 'KeyT')],
  ['a dead key on any', 't', press('Dead', 'KeyT')],
])('%s keyboard has no %s where it types something else', (_keyboard, key, event) => {
  expect(isPressOf(key, event)).toBe(false);
});

test('a key that an input method takes is no shortcut', () => {
  expect(isPressOf('Enter', press('Enter', 'Enter', { isComposing: true }))).toBe(false);
});
