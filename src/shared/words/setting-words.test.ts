import { expect, test } from 'vitest';
import { describeSettingSource } from './setting-words.ts';

test('a setting given at the start says where', () => {
  expect(describeSettingSource({ kind: 'option', name: '--region' })).toBe('by the option --region');
  expect(describeSettingSource({ kind: 'environment', name: 'TALLYLIGHT_REGION' })).toBe(
    'by the environment variable TALLYLIGHT_REGION',
  );
});
