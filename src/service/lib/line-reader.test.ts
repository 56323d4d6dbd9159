import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

test('lines are the same however the text is split, and the last one needs no end', () => {
  const text = 'one\r\n\ntwo\rthree\n  four';
  for (let size = 1; size <= text.length; size += 1) {
    const reader = new LineReader();
    const lines: string[] = [];
    for (let at = 0; at < text.length; at += size) lines.push(...reader.push(text.slice(at, at + size)));
    expect([...lines, ...reader.end()]).toEqual(['one', 'two', 'three', '  four']);
    expect(reader.end()).toEqual([]);
  }
});

test('of a line that is too long, its beginning is kept', () => {
  const reader = new LineReader();
  for (let turn = 0; turn < 40; turn += 1) expect(reader.push('x'.repeat(1_000))).toEqual([]);
  expect(reader.push('x\nnext\n')).toEqual(['x'.repeat(16_384), 'next']);
});
