import { expect, test } from 'vitest';
import { describeSettingSource, settingAdvice } from './setting-words.ts';

test('a setting given at the start says where', () => {
  expect(describeSettingSource({ kind: 'option', name: '--region' })).toBe('by the option --region');
  expect(describeSettingSource({ kind: 'environment', name: 'TALLYLIGHT_REGION' })).toBe(
    'by the environment variable TALLYLIGHT_REGION',
  );
});

test('a range that people think of in hours says so, and how many seconds that is', () => {
  expect(settingAdvice.liveWindowSeconds).toBe('Use 60 seconds to 4 hours, which is 14400 seconds.');
});
