import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import type { OneClickState } from '../../src/shared/model/live.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let socket: PageSocket;
/** What each page gets of the service's messages. */
let rewrite = (message: string) => message;

beforeAll(async () => {
  ui = await openBrowserUi({
    size: smallPage,
    prepare: async (page) => {
      socket = await holdPageSocket(page);
      socket.rewrite = (message) => rewrite(message);
    },
  });
});
afterEach(() => {
  expect(ui.complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** The calls of a procedure that the page has made. */
const callsOf = (procedure: string) => socket.said.filter((message) => message.includes(`/${procedure}"`)).length;

/** Our own ingest can't be made to fail, so the test changes the state that the page gets: it tries again in `ms`. */
const retryIn = (ms: number) => {
  const state: OneClickState = {
    kind: 'retrying',
    source: testSource,
    encode: { kind: 'automatic' },
    settings: encodePresets['720p30'],
    away: [],
    since: Date.now() - 60_000,
    attempt: 3,
    retryAt: Date.now() + ms,
    failure: { code: 'closed', during: 'publish' },
  };
  rewrite = (message) => message.replace('"oneClick":{"kind":"idle"}', `"oneClick":${JSON.stringify(state)}`);
};

test('a broadcast that lost its ingest says why and when it tries next, and Reconnect now asks for it at once', async () => {
  const { hash } = await ui.createStream({ name: 'Cut off' });
  retryIn(60_000);
  await ui.renewPage(hash);
  const main = ui.page.getByRole('main');
  await main
    .getByText('The ingest closed the connection when it got the stream key. Usually, that means the key is wrong.')
    .waitFor();
  await ui.page.getByText(/^attempt 3, in (60|5\d)\ss$/).waitFor();
  await main.getByRole('button', { name: 'Reconnect now' }).click();
  await expect.poll(() => callsOf('broadcast/reconnectNow')).toBe(1);
  retryIn(-1);
  await ui.renewPage(hash);
  await ui.page.getByText('attempt 3, connecting', { exact: true }).waitFor();
});

test('a Stop that fails while the ingest is lost says so, until the service can be reached again', async () => {
  const { hash } = await ui.createStream({ name: 'Cut off twice' });
  retryIn(60_000);
  await ui.renewPage(hash);
  const studio = studioPage(ui.page);
  const main = ui.page.getByRole('main');
  await main.getByRole('button', { name: 'Reconnect now' }).waitFor();
  await socket.lose();
  await studio.state('No contact').waitFor();
  await studio.stop.click();
  const sentence = main.getByText("Can't reach the service. Try again when it's back.", { exact: true });
  await sentence.waitFor();
  await main.getByRole('button', { name: 'Reconnect now' }).waitFor();
  socket.isOpen = true;
  await studio.state('No contact').waitFor({ state: 'detached' });
  await sentence.waitFor({ state: 'detached' });
});

test('a Stop that asks nothing takes the focus from where Go live appears', async () => {
  const { hash } = await ui.createStream({ name: 'Given up' });
  retryIn(60_000);
  await ui.renewPage(hash);
  const focusedTag = () => ui.page.evaluate(() => document.activeElement?.tagName);
  // Right after it opened, the screen takes the focus to its name, even from itself.
  await expect.poll(focusedTag).toBe('H1');
  await studioPage(ui.page).stop.focus();
  await ui.page.keyboard.press('Enter');
  await expect.poll(() => callsOf('broadcast/stop')).toBe(1);
  // Once the answer is there.
  await expect.poll(focusedTag).toBe('MAIN');
});

test('a page on the same computer tells the service when it is online again', async () => {
  const before = callsOf('service/networkReturned');
  await ui.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => callsOf('service/networkReturned')).toBe(before + 1);
});

test('a file dialog that is opened without contact says so, and lists the folder once the service is back', async () => {
  const { hash } = await ui.createStream({ name: 'Browsed too early' });
  rewrite = (message) => message;
  await ui.renewPage(hash);
  const studio = studioPage(ui.page);
  await studio.source('File').click();
  await socket.lose();
  await studio.state('No contact').waitFor();
  await studio.browse.click();
  const dialog = ui.page.getByRole('dialog');
  const sentence = dialog.getByText("Can't reach the service. Try again when it's back.", { exact: true });
  await sentence.waitFor();
  socket.isOpen = true;
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Folder' }).inputValue()).not.toBe('');
  expect(await sentence.count()).toBe(0);
});
