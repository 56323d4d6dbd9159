import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readAddress } from '../support/browser-ui.ts';
import { launchChromium, launchChromiumProfile } from '../support/chromium.ts';
import { startTestHost, type TestHost } from '../support/headless-host.ts';
import { sendUpgrade } from '../support/http-request.ts';
import { findQuietPort } from '../support/quiet-port.ts';

let host: TestHost;
let origin: string;
let browser: Browser;
/** How many of the host's URLs tests have used: each opens a session once, and the host then prints the next. */
let usedUrls = 0;
/** Its own cookies and storage, like a browser that a user has just started. */
let context: BrowserContext;

beforeAll(async () => {
  [host, browser] = await Promise.all([startTestHost(), launchChromium()]);
  origin = new URL(host.ready.uiUrl).origin;
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await host.close();
});

/** A printed URL that no test has used. */
async function takeUrl(): Promise<string> {
  const used = usedUrls++;
  return used === 0 ? host.ready.uiUrl : String((await host.getEvent('ui-url', used - 1)).uiUrl);
}

/** A folder of one test. */
async function makeFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'tallylight-session-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** What the screens have only once they have contact; a narrow window doesn't show it. */
const screens = (page: Page) => page.getByRole('navigation', { name: 'Screens' }).getByText('This computer', { exact: true });

/** A foreign page on another port of this computer: the same site to a browser, which sends it our cookie. */
async function openForeignPage(): Promise<Page> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>hello</p>'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  return page;
}

test('the printed URL opens the screens, disappears from the address bar, and is not needed again', async () => {
  const page = await context.newPage();
  await page.goto(await takeUrl());
  await screens(page).waitFor({ state: 'attached' });
  expect(await readAddress(page)).toMatchObject({ origin, pathname: '/', search: '', hash: '' });
  await page.goto(origin);
  await screens(page).waitFor({ state: 'attached' });
  const tab = await context.newPage();
  await tab.goto(`${origin}/#/settings`);
  await tab.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

test('a page without its secret asks to open the printed URL, even with the cookie', async () => {
  const page = await context.newPage();
  await page.goto(await takeUrl());
  await screens(page).waitFor({ state: 'attached' });
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByText("This page's session has ended.", { exact: true }).waitFor();
});

test('a program on another port of this computer cannot use the cookie that the browser sends it', async () => {
  const page = await context.newPage();
  await page.goto(await takeUrl());
  await screens(page).waitFor({ state: 'attached' });
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.cookie);
    response.setHeader('content-type', 'text/html').end('<p>hello</p>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  server.close();
  const cookie = String(heard[0]);
  expect(cookie).toContain('tallylight_');
  expect((await sendUpgrade(`${origin}/contract`, { Origin: origin, cookie })).status).toBe(403);
});

test('no link can replace the secret of a session', async () => {
  const page = await context.newPage();
  await page.goto(await takeUrl());
  await screens(page).waitFor({ state: 'attached' });
  const readSecrets = () => page.evaluate(() => Object.entries(localStorage));
  const secrets = await readSecrets();
  const tab = await context.newPage();
  expect((await tab.goto(`${origin}/?token=${'A'.repeat(43)}`))?.status()).toBe(403);
  await tab.goto(`${origin}/#session=anything`);
  await screens(tab).waitFor({ state: 'attached' });
  expect(await readSecrets()).toEqual(secrets);
  expect(await tab.getByText("This page's session has ended.").count()).toBe(0);
  await page.reload();
  await screens(page).waitFor({ state: 'attached' });
});

test('a second address opened in the same browser replaces its session, and tabs that are open follow', async () => {
  const page = await context.newPage();
  await page.goto(await takeUrl());
  await screens(page).waitFor({ state: 'attached' });
  const tab = await context.newPage();
  await tab.goto(await takeUrl());
  await screens(tab).waitFor({ state: 'attached' });
  await page.reload();
  await screens(page).waitFor({ state: 'attached' });
});

test('a page without a session asks to open the printed URL', async () => {
  const page = await context.newPage();
  const refused = await page.goto(origin);
  expect(refused?.status()).toBe(403);
  const alert = page.getByRole('alert');
  await expect
    .poll(() => alert.getByRole('paragraph').first().textContent())
    .toBe('This browser has no session. Open the last address that Tallylight printed.');
  await expect.poll(() => alert.locator('pre').textContent()).toBe('npm run --silent tallylight -- address');
  // Its policy allows only its own style.
  expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).not.toBe('none');
});

test('a browser needs no new URL after the service restarts', async () => {
  await using folder = await makeFolder();
  const dataFolder = join(folder.path, 'data');
  const args = ['--http-port', String(await findQuietPort())];
  const first = await startTestHost({ dataFolder, args });
  const page = await context.newPage();
  await page.goto(first.ready.uiUrl);
  await screens(page).waitFor({ state: 'attached' });
  await first.kill();
  await using _again = await startTestHost({ dataFolder, args });
  await page.goto(new URL(first.ready.uiUrl).origin);
  await screens(page).waitFor({ state: 'attached' });
});

test('a browser that was closed opens the screens again', async () => {
  await using folder = await makeFolder();
  const open = async (url: string) => {
    await using profile = await launchChromiumProfile(folder.path);
    const page = await profile.newPage();
    await page.goto(url);
    await screens(page).waitFor({ state: 'attached' });
  };
  await open(await takeUrl());
  await open(origin);
});

test("the page's secret is in no address that the browser visits, and keeps in its history", async () => {
  const page = await context.newPage();
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(frame.url()));
  const url = await takeUrl();
  await page.goto(url);
  await screens(page).waitFor({ state: 'attached' });
  expect(await page.evaluate(() => localStorage.getItem('tallylight.session'))).toMatch(/^[\w-]{43}$/);
  expect(visited).toEqual([url, `${origin}/`]);
});

test('a second browser opens with the URL printed after the first one was used', async () => {
  const used = await takeUrl();
  await (await context.newPage()).goto(used);
  await using second = await browser.newContext();
  const page = await second.newPage();
  expect((await page.goto(used))?.status()).toBe(403);
  await page.goto(await takeUrl());
  await screens(page).waitFor({ state: 'attached' });
});

test('a page that redirects to the printed URL, like the one npm start opens, reaches the screens', async () => {
  await using folder = await makeFolder();
  const file = join(folder.path, 'open.html');
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${await takeUrl()}">`);
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await screens(page).waitFor({ state: 'attached' });
  expect(await readAddress(page)).toMatchObject({ origin, pathname: '/', search: '' });
});

test('a page on another port of this computer gets no socket, no response and no frame, even though the browser sends the cookie', async () => {
  await (await context.newPage()).goto(await takeUrl());
  const page = await openForeignPage();
  const outcome = await page.evaluate(async (ours) => {
    const socket = new WebSocket(`${ours.replace('http', 'ws')}/contract`);
    const socketOutcome = await new Promise((resolve) => {
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('refused');
    });
    const read = (path: string) =>
      fetch(ours + path, { credentials: 'include' }).then(
        (answer) => answer.text(),
        () => 'refused',
      );
    return { socket: socketOutcome, page: await read('/'), api: await read('/api/ingest') };
  }, origin);
  expect(outcome).toEqual({ socket: 'refused', page: 'refused', api: 'refused' });

  await page.setContent(`<iframe src="${origin}/"></iframe>`);
  await page.waitForLoadState('load');
  const frame = page.frames().find((candidate) => candidate !== page.mainFrame());
  expect(await frame?.locator('nav').count()).toBe(0);
});
