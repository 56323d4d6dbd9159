import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { holdPageSocket } from '../support/page-socket.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

/** The WebSockets between page and service. A test can drop or hold back their messages without closing them. */
class ContractWay {
  readonly sockets: { swallows: boolean }[] = [];
  #held: (() => void)[] | undefined;

  async watch(page: Page): Promise<void> {
    await page.routeWebSocket(/\/contract$/, (route) => this.#connect(route));
  }

  #connect(route: WebSocketRoute) {
    const socket = { swallows: false };
    this.sockets.push(socket);
    const server = route.connectToServer();
    route.onMessage((message) => {
      if (!socket.swallows) server.send(message);
    });
    server.onMessage((message) => {
      if (socket.swallows) return;
      if (this.#held === undefined) route.send(message);
      else this.#held.push(() => route.send(message));
    });
  }

  /** Holds back messages from the service. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    for (const send of this.#held ?? []) send();
    this.#held = undefined;
  }
}

/** A host with a page; only the test whose host hangs needs one of its own. */
let ui: BrowserUi;
beforeAll(async () => {
  ui = await openBrowserUi({ size: smallPage });
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** Puts a new stream on air; ends with the publisher. */
async function publish(to: BrowserUi, name: string) {
  const { id, hash, ingestUrl } = await to.createStream({ name });
  const publisher = startFfmpegPublisher(ingestUrl);
  return { id, hash, publisher, [Symbol.asyncDispose]: publisher[Symbol.asyncDispose] };
}

test.concurrent('every screen shows lost contact when the host hangs, and the lamp returns when the host resumes', async ({
  expect,
}) => {
  await using own = await openBrowserUi({ size: smallPage });
  // In the rail the state has no room beside the name, and stands below it.
  await using stream = await publish(own, 'Sunday show — it is live');
  const { page, host } = own;
  const studio = studioPage(page);
  await own.goTo('#/streams');
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe('On air — Sunday show — it is live · Streams · Tallylight');
  const tabIcon = () => page.locator('link[rel="icon"]').getAttribute('href');
  await expect.poll(tabIcon).toMatch(/lamp-live-/);
  const inRail = (state: string) =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: `Sunday show — it is live ${state}` });
  const place = await inRail('On air').boundingBox();
  await own.goTo('#/tally');
  await page.getByText('On air', { exact: true }).waitFor();

  host.pause();
  await using _resumed = { [Symbol.asyncDispose]: async () => host.resume() };
  await page.getByText('No contact', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('On air', { exact: true }).count()).toBe(0);
  await expect.poll(() => page.getByRole('timer').textContent()).toBe('');
  await expect.poll(() => page.title()).toMatch(/^No contact/);
  for (const [hash, name] of [
    ['#/streams', 'Streams'],
    ['#/settings', 'Settings'],
  ]) {
    await own.goTo(hash as string);
    await studio.state('No contact').waitFor();
    await expect.poll(() => page.title()).toBe(`No contact · ${name} · Tallylight`);
  }
  expect(await tabIcon()).toMatch(/lamp-warn-/);
  expect(await inRail('No contact').boundingBox()).toEqual(place);

  host.resume();
  await own.goTo(stream.hash);
  await studio.state('No contact').waitFor({ state: 'detached' });
  await studio.state('On air').waitFor();
});

test.concurrent('a connection that silently loses messages is abandoned, and a new one is tried', async ({ expect }) => {
  await using stream = await publish(ui, 'Silently lost');
  const way = new ContractWay();
  const page = await ui.openPage('#/streams', (opened) => way.watch(opened));
  const row = streamsPage(page).row('Silently lost');
  await row.getByText('On air', { exact: true }).waitFor();
  const before = way.sockets.length;
  for (const socket of way.sockets) socket.swallows = true;
  await expect.poll(() => way.sockets.length).toBeGreaterThan(before);
  // The page now gets its data over the new connection.
  await stream.publisher.quit();
  await row.getByText('Off air', { exact: true }).waitFor();
  await page.close();
});

test.concurrent('a tally view is blank until it has data, and never shows off air', async ({ expect }) => {
  await using stream = await publish(ui, 'Held back');
  const way = new ContractWay();
  way.hold();
  const page = await ui.openPage(`#/tally/${stream.id}`, (opened) => way.watch(opened));
  // A page that takes long to get here has lost contact by now.
  await expect.poll(() => page.title()).toMatch(/^(Tally view · Tallylight|No contact — .*)$/);
  expect(await page.getByRole('main').textContent()).not.toMatch(/off air|on air/i);
  way.release();
  await page.getByText('On air', { exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe('On air — Held back');
  await page.close();
});

test('once contact is back, a stream that ended meanwhile is not called on air until its state is read again', async ({
  expect,
}) => {
  await using stream = await publish(ui, 'Ended meanwhile');
  const sockets: Awaited<ReturnType<typeof holdPageSocket>>[] = [];
  const pages: Page[] = [];
  for (const hash of ['#/streams', stream.hash, `#/tally/${stream.id}`]) {
    pages.push(await ui.openPage(hash, async (opened) => void sockets.push(await holdPageSocket(opened))));
  }
  // The rail keeps the place of what a stream was, unseen.
  const count = (page: Page, word: string) => page.getByText(word, { exact: true }).filter({ visible: true }).count();
  const says = (word: string) => expect.poll(() => Promise.all(pages.map((page) => count(page, word)))).not.toContain(0);
  await says('On air');
  await Promise.all(sockets.map((socket) => socket.lose()));
  await says('No contact');
  await stream.publisher.quit();
  const before = sockets.map(({ said }) => said.length);
  const releases = sockets.map((socket) => socket.hold());
  for (const socket of sockets) socket.isOpen = true;
  // Contact is back once they ask; the answers are still to come.
  await expect.poll(() => sockets.map(({ said }, index) => said.length > (before[index] ?? 0))).toEqual([true, true, true]);
  for (const page of pages) {
    expect(await count(page, 'On air')).toBe(0);
    expect(await page.title()).toMatch(/^No contact/);
  }
  for (const release of releases) release();
  await says('Off air');
  await Promise.all(pages.map((page) => page.close()));
});

test('a page is reloaded if the service is of another build once contact is back', async ({ expect }) => {
  let socket: Awaited<ReturnType<typeof holdPageSocket>> | undefined;
  const page = await ui.openPage('#/streams', async (opened) => {
    socket = await holdPageSocket(opened);
  });
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  let isUpdated = true;
  let asked = 0;
  await page.route('**/build', async (route) => {
    asked += 1;
    if (isUpdated) await route.fulfill({ body: '<script type="module" src="./assets/index-next.js"></script>' });
    else await route.continue();
  });
  const reconnect = async () => {
    await socket?.lose();
    if (socket) socket.isOpen = true;
  };
  const reloaded = page.waitForEvent('load');
  await reconnect();
  await reloaded;
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  expect(asked).toBe(1);

  // Of its own build, it stays, whatever an extension of the browser has added to it.
  isUpdated = false;
  await page.evaluate(() => {
    const script = Object.assign(document.createElement('script'), { src: 'chrome-extension://some/page.js' });
    document.documentElement.prepend(script);
  });
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await reconnect();
  await expect.poll(() => asked).toBe(2);
  // Asked after that answer; a page that reloads doesn't get to it.
  const status = await page.evaluate(async () => (await fetch('/build')).status);
  expect([status, asked, loads]).toEqual([200, 3, 0]);
  await page.close();
});
