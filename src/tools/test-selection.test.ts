import { expect, test } from 'vitest';
import { selectTests } from './test-selection.ts';

test.each([
  { words: [], groups: [], paths: [], isUnitOnly: false },
  { words: ['unit'], groups: ['unit'], paths: [], isUnitOnly: true },
  { words: ['unit', 'hls'], groups: ['unit'], paths: ['hls'], isUnitOnly: true },
  { words: ['unit', 'alone'], groups: ['unit', 'alone'], paths: [], isUnitOnly: false },
  { words: ['timed'], groups: ['timed'], paths: [], isUnitOnly: false },
  { words: ['src/service/hls'], groups: [], paths: ['src/service/hls'], isUnitOnly: true },
  { words: ['hls'], groups: [], paths: ['hls'], isUnitOnly: false },
  { words: ['src/shared', 'test/e2e'], groups: [], paths: ['src/shared', 'test/e2e'], isUnitOnly: false },
])('$words are split into groups and paths, and unit tests are recognised', ({ words, ...selection }) => {
  expect(selectTests(words)).toEqual(selection);
});
