import { expect, test, vi } from 'vitest';
import { parseTestOptions } from './test-options.ts';

test('words and options of vitest are told apart', () => {
  const args = ['unit', 'hls', '-t', 'plays', '--bail', '1', '--no-color', '--coverage.enabled'];
  const { words, options } = parseTestOptions(args) ?? {};
  expect(words).toEqual(['unit', 'hls']);
  expect(options).toMatchObject({ testNamePattern: 'plays', bail: 1, color: false, coverage: { enabled: true } });
});

test.each([['--typo'], ['unit', '--testNamePatern', 'plays'], ['-x']])('%j has an option that vitest lacks', (...args) => {
  expect(() => parseTestOptions(args)).toThrow(/^Unknown option `--?[a-zA-Z]+`$/);
});

test('who asks for help runs nothing', () => {
  using print = vi.spyOn(console, 'log').mockReturnValue();
  expect(parseTestOptions(['--help'])).toBeUndefined();
  expect(print).toHaveBeenCalledWith(expect.stringContaining('--testNamePattern'));
});
