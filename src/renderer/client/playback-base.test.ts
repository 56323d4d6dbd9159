import { expect, test } from 'vitest';
import { monitorPlaybackBase } from './playback-base.ts';

const local = 'http://127.0.0.1:4600/hls';

test('a page in a browser plays from its own origin, however it reached this computer', () => {
  expect(monitorPlaybackBase({ protocol: 'https:', origin: 'https://studio.example.com' }, local)).toBe(
    'https://studio.example.com/hls',
  );
});

test("the desktop app's page plays from this computer", () => {
  expect(monitorPlaybackBase({ protocol: 'tallylight:', origin: 'tallylight://app' }, local)).toBe(local);
});
