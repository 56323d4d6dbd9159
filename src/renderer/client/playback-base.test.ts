import { expect, test } from 'vitest';
import { monitorPlaybackBase } from './playback-base.ts';

const local = 'http://127.0.0.1:4600/hls';
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const desktop = browser.replace(' Safari/', ' Electron/45.4.1 Safari/');

const page = (userAgent: string, origin: string) => ({ navigator: { userAgent }, location: { origin } });

test('a page in a browser plays from its own origin', () => {
  expect(monitorPlaybackBase(page(browser, 'https://studio.example.com'), local)).toBe('https://studio.example.com/hls');
});

test.each(['tallylight://app', 'http://localhost:5173'])("the desktop app's page at %s plays from this computer", (origin) => {
  expect(monitorPlaybackBase(page(desktop, origin), local)).toBe(local);
});
