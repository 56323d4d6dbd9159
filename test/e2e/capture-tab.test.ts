import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { BrowserUi } from '../support/browser-ui.ts';
import { smallPage } from '../support/browser-ui.ts';
import { fakeMedia } from '../support/chromium.ts';
import { holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';

let ui: BrowserUi;

shareBrowserUi({ size: smallPage, chromiumArgs: fakeMedia }, (opened) => {
  ui = opened;
});

const nothing = 'Nothing is captured. You can close this tab.';
const note = (tab: Page) => tab.getByRole('status');

test('of two capture tabs the older one says that the newer one captures, and takes over when that closes', async () => {
  const older = await ui.openPage('capture.html');
  await expect.poll(() => note(older).textContent()).toBe(nothing);
  const newer = await ui.openPage('capture.html');
  await expect.poll(() => note(newer).textContent()).toBe(nothing);
  await expect.poll(() => note(older).textContent()).toBe('A newer tab of this browser captures now. You can close this one.');
  await older.getByRole('heading', { name: 'Another tab captures' }).waitFor();
  await newer.close();
  await expect.poll(() => note(older).textContent()).toBe(nothing);
  await older.close();
});

test('a capture tab without contact claims neither that nothing is captured nor that Tallylight receives it', async () => {
  let socket!: PageSocket;
  const tab = await ui.openPage('capture.html', async (page) => {
    socket = await holdPageSocket(page);
    socket.isOpen = false;
  });
  const lost = 'Lost connection to the service, reconnecting… Keep this tab open.';
  await expect.poll(() => note(tab).textContent()).toBe(lost);
  expect(await tab.getByText(nothing).count()).toBe(0);

  socket.isOpen = true;
  await expect.poll(() => note(tab).textContent()).toBe(nothing);
  const place = await tab.evaluate(() => localStorage.getItem('tallylight.capture-place') ?? '');
  const app = await ui.contract();
  const { captureId } = await app.pageCapture.order({ place, order: { of: 'camera' } });
  const holding = await app.pageCapture.watch({ place, holds: [captureId] });
  await holding.next();
  const camera = tab.getByRole('listitem');
  await camera.getByText('Tallylight receives it.').waitFor();

  await socket.lose();
  await camera.getByText('Waiting for the connection.').waitFor();
  await expect.poll(() => note(tab).textContent()).toBe(lost);
  socket.isOpen = true;
  await camera.getByText('Tallylight receives it.').waitFor();
  await holding.return();
  await tab.close();
});
