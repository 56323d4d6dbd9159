import { expect, test } from 'vitest';
import { onNetworkReturn } from './network-return.ts';

/** A page there, and how often it has told the service. */
function openPage(hostname: string, userAgent = 'Mozilla/5.0 Chrome/140.0.0.0') {
  const page = Object.assign(new EventTarget(), { navigator: { userAgent }, location: { hostname } });
  const state = { told: 0 };
  const off = onNetworkReturn(page, () => {
    state.told += 1;
  });
  const goOnline = () => {
    page.dispatchEvent(new Event('online'));
    return state.told;
  };
  return { goOnline, off };
}

test.each([
  ['the desktop app', 'app', 'Mozilla/5.0 Chrome/140.0.0.0 Electron/45.0.0'],
  ['a browser on the same computer', 'localhost', undefined],
  ['a browser on the same computer, by address', '127.0.0.1', undefined],
  ['a browser on the same computer, by IPv6 address', '[::1]', undefined],
])('%s tells each time that the network is back, until it is undone', (_, hostname, userAgent) => {
  const { goOnline, off } = openPage(hostname, userAgent);
  expect([goOnline(), goOnline()]).toEqual([1, 2]);
  off();
  expect(goOnline()).toBe(2);
});

test('a browser elsewhere tells nothing', () => {
  expect(openPage('studio.example').goOnline()).toBe(0);
});
